// A global work list: the size is read plainly while others push.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *list, unsigned *n) {
  unsigned i = blockIdx.x * 32 + threadIdx.x;
  if (in[i] & 1) list[atomicAdd(n, 1)] = i;  //~ FAULT
  if (i == 63) out[0] = *n;  //~ FAULT
}
