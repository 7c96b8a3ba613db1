template <class F> __device__ void in_turn(unsigned *next, volatile unsigned *serving, F f) {
  unsigned my = atomicAdd(next, 1u);
  while (*serving != my) { }  //~ FAULT deadlock
  __threadfence();
  if (!f()) return;
  __threadfence();
  *serving = my + 1;
}
extern "C" __global__ void k(unsigned *out, unsigned *t, const unsigned *in) {
  unsigned v = in[blockIdx.x * 32 + threadIdx.x];
  in_turn(t, t + 1, [&] { if (v == 0) return false; *(volatile unsigned *)out = *(volatile unsigned *)out + v; return true; });
}
