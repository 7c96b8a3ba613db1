// Whoever gets the lock votes with everybody; the others are still spinning.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  while (atomicCAS(out, 0, 1)) {}  //~ FAULT
  __threadfence();
  unsigned b = __ballot_sync(0xffffffffu, in[t] & 1);  //~ FAULT
  out[1] += b;
  __threadfence();
  atomicExch(out, 0);
}
