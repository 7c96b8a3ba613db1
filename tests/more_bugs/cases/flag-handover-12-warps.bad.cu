__device__ void put(unsigned *box, volatile unsigned *full, unsigned v) { *box = v; *full = 1; }  //~ FAULT race-block
__device__ unsigned get(unsigned *box, volatile unsigned *full) { while (!*full) { } return *box; }  //~ FAULT race-block
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned box;
  __shared__ volatile unsigned full;
  unsigned t = threadIdx.x;
  if (t == 0) full = 0;
  __syncthreads();
  if (t == 40) put(&box, &full, in[3]);
  if (t == 1) out[0] = get(&box, &full);
}
