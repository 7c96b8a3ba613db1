// bar.sync 2 at two places, aligned form.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, r;
  s[t] = in[t];
  if (t < 32) { asm volatile("bar.sync 2;" ::: "memory"); r = s[t + 32]; }  //~ FAULT
  else { asm volatile("bar.sync 2;" ::: "memory"); r = s[t - 32] * 2; }  //~ FAULT
  out[t] = r;
}
