__device__ unsigned count;
extern "C" __global__ void k(unsigned *out,  unsigned *part, const unsigned *in) {
  __shared__ unsigned s[64];
  __shared__ bool isLast;
  unsigned t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) { if (t < d) s[t] += s[t + d]; __syncthreads(); }
  if (t == 0) {
    part[blockIdx.x] = s[0]; //~ FAULT
    __threadfence();
    isLast = atomicAdd(&count, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (isLast && t < gridDim.x) {
    __threadfence();
    atomicAdd(out, part[t]); //~ FAULT
  }
}
