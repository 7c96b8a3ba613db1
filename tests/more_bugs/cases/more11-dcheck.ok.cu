// Initialisation once by whoever wins, others wait for the ready mark.
extern "C" __global__ void k(unsigned *state, unsigned *table, const unsigned *in, unsigned *out) {
  if (threadIdx.x) return;
  unsigned old = atomicCAS(state, 0, 1);
  if (old == 0) { *table = in[4]; __threadfence(); atomicExch(state, 2); }
  else while (atomicAdd(state, 0) != 2) {}
  __threadfence();
  out[blockIdx.x] = *table;
}
