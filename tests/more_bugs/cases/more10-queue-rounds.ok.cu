// Threads of a block drain a queue; each round votes whether to go on.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned head, queue[128], tail;
  unsigned t = threadIdx.x, done = 0;
  if (t == 0) { head = 0; tail = 64; }
  queue[t] = in[t] % 16;
  __syncthreads();
  while (true) {
    unsigned at = atomicAdd(&head, 1), got = 0;
    __syncthreads();
    if (at < tail) {
      got = queue[at];
      done += got;
    }
    __syncthreads();
    if (at < 64 && got > 12) {
      unsigned to = atomicAdd(&tail, 1);
      if (to < 128) queue[to] = got - 8;
    }
    __syncthreads();
    if (!__syncthreads_or(at < tail)) break;
  }
  out[t] = done;
}
