extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  unsigned b = __ballot_sync(~0u, x > 9);
  r = x % 3 == 0 ? __popc(b) : x % 3 == 1 ? 2 * __popc(b) : 0;
  __syncwarp();
  out[t] = r;
}
