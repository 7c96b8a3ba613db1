// Two of three arms vote with the full mask, the third does not.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  if (x % 3 == 0) r = __popc(__ballot_sync(~0u, x > 9));  //~ FAULT
  else if (x % 3 == 1) r = 2 * __popc(__ballot_sync(~0u, x > 9));  //~ FAULT
  __syncwarp();
  out[t] = r;
}
