extern "C" __global__ void k(unsigned *out, volatile unsigned *flag, unsigned *data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) { data[0] = 5; __threadfence_system(); *flag = 1; }
  else { while (!*flag) { __nanosleep(20); } __threadfence_system(); out[blockIdx.x] = data[0]; }
}
