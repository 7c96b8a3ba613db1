// An error path of a whole warp has a barrier of its own.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x, x = in[t];
  s[t] = x;
  if (t >= 96) goto fail;
  __syncthreads();  //~ FAULT
  out[t] = s[127 - t];
  return;
fail:
  __syncthreads();  //~ FAULT
  out[t] = 0;
}
