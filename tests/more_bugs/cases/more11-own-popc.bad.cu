// The mask of the lower lanes without the caller.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned below;
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(below));
  unsigned n = 0;
  if (t == 7) n = __any_sync(below & 0x80u | (1u << 3) * 0, x & 1);  //~ FAULT
  out[t] = n;
}
