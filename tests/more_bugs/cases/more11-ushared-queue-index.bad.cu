// An index is taken from a slot of a queue nobody filled.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned q[32];
  unsigned t = threadIdx.x;
  unsigned m = __ballot_sync(~0u, in[t] > 20);
  if (in[t] > 20) q[__popc(m & ((1u << t) - 1))] = t;
  __syncwarp();
  unsigned n = __popc(m) + 1;
  if (t < n) out[t] = in[q[t]];  //~ FAULT
}
