extern "C" __global__ void k(unsigned *out) {
  extern __shared__ unsigned dynamic[];
  __shared__ unsigned fixed[64];
  unsigned t = threadIdx.x;
  dynamic[t] = 5;
  __syncwarp();
  for (unsigned i = t; i < 64; i += 32) fixed[i] = i;
  __syncwarp();
  out[t] = fixed[31 - t] + dynamic[t];
}
