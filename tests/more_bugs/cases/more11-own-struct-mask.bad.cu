// The mask travels in a structure by value, its fields mixed up.
struct Team { unsigned mask; unsigned rest; };
__device__ __noinline__ Team split(unsigned x) {
  unsigned m = __ballot_sync(~0u, x > 30);
  Team t;
  t.mask = x > 30 ? m : ~m; t.rest = ~t.mask;
  return t;
}
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  Team team = split(x);
  unsigned use = team.rest;
  out[t] = __shfl_sync(use, x, __ffs(use) - 1);  //~ FAULT
}
