// A lambda is called under two conditions; only the inner one reduces.
template <class F> __device__ __forceinline__ unsigned with(bool p, F f) { return p ? f() : 0u; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned all = __ballot_sync(__activemask() | 0u, 1);
  unsigned full = t < 32 ? 0xffffffffu : 0xffffu;
  unsigned r = with(x > 9 || all == 0, [&] {
    return __reduce_max_sync(full, x);  //~ FAULT
  });
  r += __reduce_add_sync(full, x);
  out[t] = r;
}
