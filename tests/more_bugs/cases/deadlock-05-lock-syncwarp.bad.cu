extern "C" __global__ void k(unsigned *out, unsigned *l) {
  unsigned lane = threadIdx.x;
  while (atomicCAS(l, 0u, 1u)) { }  //~ FAULT deadlock
  out[lane] = lane;
  __syncwarp();  //~ FAULT absent-lane
  atomicExch(l, 0u);
}
