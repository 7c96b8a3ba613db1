// A lock-free stack: the node is filled after it has been published.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *next, unsigned *head) {
  unsigned i = blockIdx.x * 32 + threadIdx.x + 1, old;
  do {
    old = atomicAdd(head, 0);
  } while (atomicCAS(head, old, i) != old);
  next[i - 1] = old;  //~ FAULT
  unsigned top = atomicAdd(head, 0);
  __threadfence();
  out[i - 1] = top ? next[top - 1] > 64 : 0;  //~ FAULT
}
