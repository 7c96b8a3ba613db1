// Bug: a block barrier inside a branch that splits a warp.
//
// What to see: warp 6 is cut at thread 200; lanes 8 to 31 of it go on without the barrier. `__syncthreads` is for all
// threads of the block that have not exited: `barrier-divergence`. That this often runs through on a chip is luck. Mend
// it by moving the barrier out of the branch.
//
//     warpvm check --launch examples/bug_barrier_in_branch.json

extern "C" __global__ void barrier_in_branch(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned tile[256];
  unsigned t = threadIdx.x;
  unsigned mirrored = 0;
  if (t < n) {
    tile[t] = in[t];
    __syncthreads();
    mirrored = tile[n - 1 - t];
  }
  out[t] = mirrored;
}
