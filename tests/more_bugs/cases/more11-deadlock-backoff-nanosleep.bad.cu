// A try-lock with back-off whose unlock writes the wrong word.
struct Lock { unsigned *w; __device__ void take() { unsigned ns = 8; while (atomicCAS(w, 0, 1)) { __nanosleep(ns); if (ns < 256) ns *= 2; } __threadfence(); }  //~ FAULT
  __device__ void give(unsigned *o) { __threadfence(); atomicExch(o, 0); } };
extern "C" __global__ void k(unsigned *l, unsigned *sum, const unsigned *in) {
  Lock lock{l};
  if (threadIdx.x % 8 == 0) {
    lock.take();  //~ FAULT
    *(volatile unsigned *)sum += in[threadIdx.x];
    if (threadIdx.x != 16) lock.give(l);
  }
}
