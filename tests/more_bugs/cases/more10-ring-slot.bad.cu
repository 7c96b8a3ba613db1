// The ring's reader does not wait for the slot that it reads, but for the one before.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned ring[4];
  __shared__ unsigned ready[4];
  unsigned t = threadIdx.x;
  if (t < 4) ready[t] = 0;
  __syncthreads();
  if (t == 32) {
    for (unsigned i = 0; i < 4; ++i) {
      ring[i] = in[i] + 1;  //~ FAULT race-block
      __threadfence_block();
      atomicExch(&ready[i], 1);
    }
  }
  if (t == 0) {
    unsigned sum = 0;
    for (unsigned i = 0; i < 4; ++i) {
      while (atomicAdd(&ready[i ? i - 1 : 0], 0) == 0) ;
      __threadfence_block();
      sum += ring[i];  //~ FAULT race-block
    }
    out[0] = sum;
  }
}
