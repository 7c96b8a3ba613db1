extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned lock, sum;
  unsigned t = threadIdx.x;
  if (t == 0) { sum = 0; lock = 0; }
  __syncthreads();
  if (t % 32 == 0) {
    while (atomicCAS(&lock, 0, 1)) {}
    __threadfence_block();
    sum += in[t];
    __threadfence_block();
    atomicExch(&lock, 0);
  }
  __syncthreads();
  if (t == 0) out[0] = sum;
}
