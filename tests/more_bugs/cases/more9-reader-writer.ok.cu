extern "C" __global__ void k(unsigned *out, int *lock, unsigned *data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    while (atomicCAS(lock, 0, 1000) != 0) ;
    __threadfence();
    data[0] = 5; data[1] = 6;
    __threadfence();
    atomicSub(lock, 1000);
  } else {
    while (atomicAdd(lock, 1) >= 1000) atomicSub(lock, 1);
    __threadfence();
    out[blockIdx.x] = data[0] + data[1];
    __threadfence();
    atomicSub(lock, 1);
  }
}
