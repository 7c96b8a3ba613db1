// The sleeper tests, then announces that it sleeps; the waker looks for sleepers only once.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned ready, asleep, wake;
  unsigned t = threadIdx.x;
  if (t == 0) { ready = 0; asleep = 0; wake = 0; }
  __syncthreads();
  if (t == 0) {
    if (atomicAdd(&ready, 0) == 0) {
      atomicExch(&asleep, 1);
      while (atomicAdd(&wake, 0) == 0) {  //~ FAULT
      }
    }
    out[0] = in[3];
  } else if (t == 32) {
    atomicExch(&ready, 1);
    if (atomicAdd(&asleep, 0)) atomicExch(&wake, 1);
  }
}
