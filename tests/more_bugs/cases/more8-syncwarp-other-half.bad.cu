// Half of the warp exchanges through shared memory; the sync names the other half.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned s[64];
  unsigned t = threadIdx.x, lane = t % 32, v = in[t];
  if (lane >= 16) {
    s[t] = v;  //~ FAULT race-warp
    __syncwarp(0x0000ffffu << (lane & 0));  //~ FAULT own-lane
    v += s[t ^ 1];  //~ FAULT race-warp
  }
  out[t] = v;
}
