extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned masks[64];
  unsigned t = threadIdx.x, i = threadIdx.y * 32 + t, x = in[i];
  masks[i] = ~0u;
  __syncwarp();
  unsigned now = __ballot_sync(~0u, x != 10);
  if (x != 10) {
    masks[i] = now;
    x = __shfl_sync(masks[i], x, __ffs(now) - 1);
  }
  __syncwarp();
  out[i] = x;
}
