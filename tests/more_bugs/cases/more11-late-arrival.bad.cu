// A semaphore of two slots by atomics lets a writer in one round early.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned slot[2], full, empty;
  unsigned t = threadIdx.x, acc = 0;
  unsigned room = 3;
  if (t == 0) { full = 0; empty = room; }
  __syncthreads();
  if (t == 0) {
    for (unsigned i = 0; i < 8; ++i) {
      while (atomicAdd(&empty, 0) == 0) {}
      atomicSub(&empty, 1);
      __threadfence_block();
      slot[i % 2] = in[i];  //~ FAULT
      __threadfence_block();
      atomicAdd(&full, 1);
    }
  } else if (t == 32) {
    for (unsigned i = 0; i < 8; ++i) {
      while (atomicAdd(&full, 0) == 0) {}
      atomicSub(&full, 1);
      __threadfence_block();
      acc += slot[i % 2];  //~ FAULT
      __threadfence_block();
      atomicAdd(&empty, 1);
    }
    out[0] = acc;
  }
}
