extern "C" __global__ void k(unsigned *lock, unsigned *sum, const unsigned *in) {
  if (threadIdx.x == 0) {
    while (atomicCAS_block(lock, 0u, 1u) != 0u) { } //~ FAULT race-scope
    __threadfence();
    *sum += in[blockIdx.x]; //~ FAULT race-scope
    __threadfence();
    atomicExch_block(lock, 0u); //~ FAULT race-scope
  }
}
