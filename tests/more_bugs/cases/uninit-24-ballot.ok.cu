extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned s[32];
  unsigned t = threadIdx.x;
  if (t < n) s[t] = in[t];
  __syncwarp();
  unsigned m = __ballot_sync(0xffffffffu, t < n && s[t] & 1);
  out[t] = __popc(m);
}
