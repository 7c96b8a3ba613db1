extern "C" __global__ void k(unsigned *locks, unsigned *sum, const unsigned *in) {
  unsigned w = threadIdx.x / 32;
  if (threadIdx.x % 32) return;
  unsigned a = w, b = (w + 1) % 3;
  if (a > b) { unsigned c = a; a = b; b = c; }
  while (atomicCAS(&locks[a], 0, 1)) __nanosleep(20);
  __threadfence();
  while (atomicCAS(&locks[b], 0, 1)) __nanosleep(20);
  __threadfence();
  *sum += in[w];
  __threadfence();
  atomicExch(&locks[b], 0);
  atomicExch(&locks[a], 0);
}
