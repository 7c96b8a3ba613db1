// Bytes of one uchar4 by threads of two warps, one of them writes all four.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ uchar4 s[32];
  unsigned t = threadIdx.x;
  if (t < 32) s[t] = make_uchar4(in[t], 1, 2, 3);  //~ FAULT
  if (t >= 32) s[t - 32].w = in[t];  //~ FAULT
  __syncthreads();
  out[t] = s[t % 32].w + s[t % 32].x;
}
