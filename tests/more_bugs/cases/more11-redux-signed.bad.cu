// redux.and in a loop of a block with a half warp; trips by lane.
extern "C" __global__ void k(int *out, const int *in) {
  unsigned t = threadIdx.x;
  unsigned m = __ballot_sync(t < 32 ? ~0u : 0xffffu, 1);
  int acc = -1;
  int n = 2 + t % 2;
#pragma unroll 1
  for (int i = 0; i < n; ++i) acc &= __reduce_and_sync(m, in[(t + i) % 48]);  //~ FAULT
  __syncwarp(m);
  out[t] = acc;
}
