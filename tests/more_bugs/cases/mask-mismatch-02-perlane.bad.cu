extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, v = in[lane];
  unsigned mask = lane < 16 ? 0x0001ffffu : 0xffff8000u;
  out[lane] = __reduce_add_sync(mask, v);  //~ FAULT mask-mismatch
}
