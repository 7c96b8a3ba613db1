extern "C" __global__ void k(unsigned *out, volatile unsigned *flag) {
  if (threadIdx.x == 0) while (!*flag) { }  //~ FAULT deadlock
  __syncthreads();
  if (threadIdx.x == 33) *flag = 1;
  out[threadIdx.x / 32] = 1;
}
