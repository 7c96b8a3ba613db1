// A warp-local queue in shared memory by ballot, and its count by popc.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned q[2][32];
  unsigned t = threadIdx.x, lane = t % 32, w = t / 32, x = in[t];
  unsigned m = __ballot_sync(~0u, x > 20);
  if (x > 20) q[w][__popc(m & ((1u << lane) - 1))] = x;
  __syncwarp();
  out[t] = lane < __popc(m) ? q[w][lane] : 0;
}
