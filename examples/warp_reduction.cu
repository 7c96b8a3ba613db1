// The sum over a warp, three ways.
//
// What to see: the butterfly takes five shuffles and leaves the sum in every lane; `redux.sync` (sm_80) does the
// same in one instruction; the tree in shared memory needs a `__syncwarp` between every write and read, because
// the lanes of a warp are not in lockstep. Take one of them out and run `warpvm check`: race-warp.
//
//     warpvm run --launch examples/warp_reduction.json

#define FULL 0xffffffffu

__device__ int by_butterfly(int x) {
  for (int distance = 16; distance > 0; distance /= 2) x += __shfl_xor_sync(FULL, x, distance);
  return x;
}

__device__ int by_redux(int x) { return __reduce_add_sync(FULL, x); }

__device__ int by_shared_memory(int x, int *row, unsigned lane) {
  row[lane] = x;
  for (int distance = 16; distance > 0; distance /= 2) {
    __syncwarp();
    int other = row[lane ^ distance];
    __syncwarp();
    row[lane] += other;
  }
  return row[lane];
}

extern "C" __global__ void warp_reduction(int *butterfly, int *redux, int *shared, const int *in) {
  __shared__ int rows[8][32];
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  butterfly[i] = by_butterfly(in[i]);
  redux[i] = by_redux(in[i]);
  shared[i] = by_shared_memory(in[i], rows[warp], lane);
}
