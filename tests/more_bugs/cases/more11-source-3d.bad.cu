// A block of 5x3x2 = 30 threads: lanes 30 and 31 do not exist.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned i = (threadIdx.z * 3 + threadIdx.y) * 5 + threadIdx.x, x = in[i];
  for (int d = 16; d; d >>= 1) {
    unsigned y = __shfl_down_sync(0x3fffffffu, x, d);  //~ FAULT
    x += y;
  }
  if (i == 0) out[0] = x;
}
