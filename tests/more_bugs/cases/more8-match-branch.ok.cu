extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, lane = t % 32, key = in[t] % 5;
  unsigned same = __match_any_sync(0xffffffff, key);
  unsigned sum = 0;
  if (key != 2) {
    unsigned other = __match_any_sync(same, key & 1);
    sum = __shfl_sync(same, in[t], __ffs(same) - 1) + __popc(other);
  }
  __syncwarp();
  out[t] = sum + lane;
}
