// A lock taken by one lane; the others wait for it at a warp barrier the holder's loop never reaches.
extern "C" __global__ void k(unsigned *lock, unsigned *sum, const unsigned *in) {
  unsigned t = threadIdx.x;
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0, 1) == 0) {  //~ FAULT
      __threadfence();
      *(volatile unsigned *)sum += in[t];
      __threadfence();
      if (t != 13)
      atomicExch(lock, 0);
      done = true;
    }
    if (__all_sync(0xffffffffu, done)) break;  //~ FAULT
    __nanosleep(10);  //~ FAULT
  }
}
