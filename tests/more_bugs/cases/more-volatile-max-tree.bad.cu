extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned s[64];
  unsigned t = threadIdx.x;
  s[t] = in[t];
  s[t + 32] = 0;
  __syncwarp();
  if (t < 16) {
    s[t] = max(s[t], s[t + 16]); //~ FAULT race-warp
    s[t] = max(s[t], s[t + 8]); //~ FAULT race-warp
    s[t] = max(s[t], s[t + 4]); //~ FAULT race-warp
    s[t] = max(s[t], s[t + 2]); //~ FAULT race-warp
    s[t] = max(s[t], s[t + 1]); //~ FAULT race-warp
  }
  if (t == 0) out[0] = s[0];
}
