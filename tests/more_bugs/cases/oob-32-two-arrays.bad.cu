__shared__ int first[64];
__shared__ int second[64];
extern "C" __global__ void k(int *out) {
  int t = threadIdx.x;
  first[t] = t;
  second[t] = -t;
  __syncthreads();
  out[t] = first[t + 1] + second[t];  //~ FAULT oob-shared
}
