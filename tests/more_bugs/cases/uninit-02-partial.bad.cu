extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned hist[64];
  unsigned lane = threadIdx.x;
  hist[lane] = 0;
  __syncwarp();
  atomicAdd(&hist[in[lane]], 1u);  //~ FAULT uninit-shared
  __syncwarp();
  out[lane] = hist[lane] + hist[lane + 32];  //~ FAULT uninit-shared
}
