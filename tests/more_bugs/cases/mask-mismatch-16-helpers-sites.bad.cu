template <unsigned Mask> __device__ unsigned vote(unsigned v) { return __ballot_sync(Mask, v & 1); }  //~ FAULT mask-mismatch
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, v = in[t], r;
  if (t < 16) r = vote<0x0000ffffu>(v); else r = vote<0xffffffffu>(v);
  __syncwarp();
  out[t] = r;
}
