// __any_sync between a write and a read across warps.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[128];
  unsigned t = threadIdx.x;
  s[t] = in[t];  //~ FAULT
  if (__any_sync(~0u, in[t] > 5)) __syncwarp();
  out[t] = s[(t + 32) % 128];  //~ FAULT
}
