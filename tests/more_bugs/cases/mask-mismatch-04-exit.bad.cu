extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, v = in[lane];
  unsigned mask = lane < 16 ? 0x0000ffffu : 0xffffffffu;
  out[lane] = __ballot_sync(mask, v & 1);  //~ FAULT mask-mismatch
}
