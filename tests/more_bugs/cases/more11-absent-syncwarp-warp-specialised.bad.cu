// Producer warps elect one lane that goes on to a __syncwarp the others skip.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x, w = t / 32;
  if (w >= 2) {
    if (t % 32 == 0) {
      for (int i = 0; i < 32; ++i) s[w * 32 + i] = in[w * 32 + i];
      __syncwarp();  //~ FAULT
    }
    __syncwarp();  //~ FAULT
  }
  __syncthreads();
  out[t] = t < 64 ? in[t] : s[t];
}
