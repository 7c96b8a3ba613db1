// A readers-writer lock whose writer does not wait for readers.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ int state;
  __shared__ unsigned box;
  unsigned t = threadIdx.x;
  if (t == 0) { state = 0; box = 1; }
  __syncthreads();
  if (t % 32 == 0) {
    if (t == 32) {
      while (atomicCAS(&state, 0, -100) > 0) break;
      __threadfence_block();
      box = in[5];  //~ FAULT
      __threadfence_block();
      atomicAdd(&state, 100);
    } else {
      while (atomicAdd(&state, 1) < 0) atomicSub(&state, 1);
      __threadfence_block();
      out[t] = box > 0;  //~ FAULT
      __threadfence_block();
      atomicSub(&state, 1);
    }
  }
}
