// atomicMax by all lanes, reset by a plain store of one.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned best;
  unsigned t = threadIdx.x;
  if (t == 0) best = 0;  //~ FAULT
  atomicMax(&best, in[t]);  //~ FAULT
  __syncwarp();
  if (t == 0) out[0] = best;
}
