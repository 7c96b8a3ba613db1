// The second warp starts one round later and makes up for it after the loop.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, w = t / 32, x = in[t];
  s[t] = x;
  unsigned n = w ? 3 : 4;
  for (unsigned i = 0; i < n; ++i) {
    __syncthreads();  //~ FAULT
    x += i;
  }
  if (w) __syncthreads();  //~ FAULT
  out[t] = x + s[63 - t];
}
