// A fully unrolled tree that a lane leaves as soon as its sum is odd.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
#pragma unroll
  for (int d = 16; d; d /= 2) {
    unsigned y = __shfl_down_sync(~0u, x, d);  //~ FAULT
    if ((x & 1) && d < 8) break;
    x += y;
  }
  __syncwarp();
  out[t] = x;
}
