// Pop from a linked free list by CAS and push back at once: the next pointer is read while others write it.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *next, unsigned *head) {
  if (threadIdx.x > 1) return;
  unsigned i = blockIdx.x * 32 + threadIdx.x, h;
  do {
    h = atomicAdd(head, 0);
    if (h == 0 || h > 60) return;
  } while (atomicCAS(head, h, next[h]) != h);  //~ FAULT
  out[i] = in[h];
  next[h] = 0;  //~ FAULT
}
