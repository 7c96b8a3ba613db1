extern "C" __global__ void k(unsigned *out, unsigned *tmp) {
  unsigned lane = threadIdx.x;
  if (lane < 20) tmp[lane] = lane;
  __syncwarp();
  out[lane] = tmp[lane] * 2;  //~ FAULT uninit-global
}
