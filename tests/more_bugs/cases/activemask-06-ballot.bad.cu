__device__ unsigned votes(bool p) { return __ballot_sync(__activemask(), p); }  //~ FAULT activemask
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned lane = threadIdx.x, x = in[lane], r = 0;
  if (x > 8) r = __popc(votes(x & 1));
  out[lane] = r;
}
