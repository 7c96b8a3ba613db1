// The same vote in two arms, with the full mask in one of them and that of the arm in the other.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r;
  unsigned m = __ballot_sync(~0u, x > 30);
  if (x > 30) r = __any_sync(m, x & 1);  //~ FAULT
  else r = __any_sync(~0u, x & 1);  //~ FAULT
  __syncwarp();
  out[t] = r;
}
