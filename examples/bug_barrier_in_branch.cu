// Bug: a block barrier inside a branch that splits a warp.
//
// What to see: the last warp is cut at thread 200; lanes 8 to 31 of it skip the barrier. `__syncthreads` is for all
// threads of the block: `barrier-divergence`. That this often runs through on a chip is luck. Mend it by moving the
// barrier out of the branch.
//
//     warpvm check --launch examples/bug_barrier_in_branch.json

extern "C" __global__ void barrier_in_branch(unsigned *out, const unsigned *in, unsigned n) {
  __shared__ unsigned tile[256];
  unsigned t = threadIdx.x;
  if (t < n) {
    tile[t] = in[t];
    __syncthreads();
    out[t] = tile[n - 1 - t];
  }
}
