// Blocks in a chain: each waits for the flag of the one before, all threads fence.
extern "C" __global__ void k(unsigned *acc, const unsigned *in, unsigned *flag) {
  unsigned b = blockIdx.x, t = threadIdx.x;
  if (t == 0 && b) while (((volatile unsigned *)flag)[b - 1] == 0) {}
  __syncthreads();
  __threadfence();
  if (t == 5) acc[b] = (b ? acc[b - 1] : 0) + in[b];
  __threadfence();
  __syncthreads();
  if (t == 0) ((volatile unsigned *)flag)[b] = 1;
}
