// Neighbours exchange through shared memory, held together by __syncwarp(__activemask()).
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned s[64];
  unsigned t = threadIdx.x, x = in[t], r = 0;
  s[t] = 0;
  __syncwarp();
  unsigned all = __ballot_sync(~0u, x >= 8);
  if (x >= 8) {
    s[t] = x;  //~ FAULT
    __syncwarp(__activemask());  //~ FAULT activemask
    r = s[t ^ 2];  //~ FAULT
  }
  out[t] = r;
}
