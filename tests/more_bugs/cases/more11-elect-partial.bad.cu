// elect over the lanes of a ballot, run by lanes outside of it as well.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, i = threadIdx.y * 32 + t, x = in[i], r = 0;
  unsigned m = __ballot_sync(~0u, x > 15);
  asm volatile("{.reg .pred q;\n elect.sync %0|q, %1;}" : "=r"(r) : "r"(m));  //~ FAULT
  out[i] = r;
}
