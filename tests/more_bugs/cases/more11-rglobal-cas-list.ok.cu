extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *next, unsigned *head) {
  unsigned i = blockIdx.x * 32 + threadIdx.x + 1, old;
  do {
    old = atomicAdd(head, 0);
    next[i - 1] = old;
    __threadfence();
  } while (atomicCAS(head, old, i) != old);
  unsigned top = atomicAdd(head, 0);
  __threadfence();
  out[i - 1] = top ? next[top - 1] > 64 : 0;
}
