// A readers' lock: the writer does not wait for readers that are still inside.
extern "C" __global__ void k(unsigned *out, int *lock, unsigned *data) {
  if (threadIdx.x != 0) return;
  if (blockIdx.x == 0) {
    atomicAdd(lock, 1000);
    __threadfence();
    data[0] = 5; data[1] = 6;  //~ FAULT race-global
    __threadfence();
    atomicSub(lock, 1000);
  } else {
    while (atomicAdd(lock, 1) >= 1000) atomicSub(lock, 1);
    __threadfence();
    out[blockIdx.x] = data[0] + data[1];  //~ FAULT race-global
    __threadfence();
    atomicSub(lock, 1);
  }
}
