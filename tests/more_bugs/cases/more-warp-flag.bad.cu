extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned data[32];
  __shared__ volatile int ready;
  unsigned w = threadIdx.x / 32, l = threadIdx.x % 32;
  if (threadIdx.x == 0) ready = 0;
  __syncthreads();
  if (w == 0) {
    data[l] = in[l] + 1; //~ FAULT race-block
    __syncwarp();
    if (l == 0) ready = 1;
  } else {
    while (!ready) { }
    
    out[l] = data[31 - l]; //~ FAULT race-block
  }
}
