// activemask.b32 in inline PTX as the mask of a ballot.
__device__ unsigned who() { unsigned m; asm volatile("activemask.b32 %0;" : "=r"(m)); return m; }  //~ FAULT
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned all = __ballot_sync(~0u, x % 5);
  if (x % 5) {
    unsigned m = who();
    r = __popc(__ballot_sync(m, x & 1));  //~ FAULT
  }
  out[t] = r;
}
