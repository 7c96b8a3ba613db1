// Two locks guard one word.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned lock[2], sum;
  unsigned t = threadIdx.x, w = t / 32;
  if (t == 0) lock[0] = lock[1] = sum = 0;
  __syncthreads();
  if (t % 32 == 3) {
    unsigned *l = &lock[w];
    while (atomicCAS(l, 0, 1)) {}
    __threadfence_block();
    sum += in[t];  //~ FAULT
    __threadfence_block();
    atomicExch(l, 0);
  }
  __syncthreads();
  if (t == 0) out[0] = sum;
}
