extern "C" __global__ void k(unsigned *out, unsigned *tmp) {
  if (tmp[threadIdx.x] == 3) out[threadIdx.x] = 1;  //~ FAULT uninit-global
}
