// A fast path if the warp seems whole; the slow path gives something else.
template <int N> __device__ unsigned vote(unsigned x, bool whole) { return whole ? __popc(__ballot_sync(~0u, x & N)) : x & N; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t], r = 0;
  if (x & 1) x += 3; else x ^= 5 * t;
  bool whole = __activemask() == ~0u;  //~ FAULT
  r = vote<2>(x, whole);  //~ FAULT absent-lane
  out[t] = r;
}
