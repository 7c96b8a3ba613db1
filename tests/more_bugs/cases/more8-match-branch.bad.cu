// Groups of equal keys: the leader is taken from another match than the mask.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, lane = t % 32, key = in[t] % 5;
  unsigned same = __match_any_sync(0xffffffff, key);
  unsigned sum = 0;
  if (key != 2) {
    unsigned other = __match_any_sync(0xffffffff, key & 1);  //~ FAULT absent-lane
    sum = __shfl_sync(same, in[t], __ffs(same) - 1) + __popc(other);  //~ FAULT absent-lane
  }
  __syncwarp();  //~ FAULT absent-lane
  out[t] = sum + lane;
}
