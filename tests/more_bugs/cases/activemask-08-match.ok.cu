extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  if (x != 3) {
    unsigned g = __match_any_sync(__activemask(), x);
    if (t % 32 == __ffs(g) - 1) atomicAdd(out + x, __popc(g));
  }
}
