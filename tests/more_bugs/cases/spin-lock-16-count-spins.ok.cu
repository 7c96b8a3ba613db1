extern "C" __global__ void k(unsigned *out, volatile unsigned *flag) {
  unsigned t = threadIdx.x, spins = 0;
  if (t == 0) { flag[0] = 1; while (flag[1] == 0) ++spins; out[0] = spins < 0xffffffffu; }
  if (t == 32) { while (flag[0] == 0) ++spins; flag[1] = 1; out[1] = spins < 0xffffffffu; }
}
