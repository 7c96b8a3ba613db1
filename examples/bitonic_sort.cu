// Bitonic sort of 32 keys, one a lane, without memory.
//
// What to see: fifteen compare-and-exchange steps, each one `shfl.sync.bfly` and one min or max. No branch: all
// 32 lanes are active in every instruction.
//
//     warpvm run --launch examples/bitonic_sort.json --full

#define FULL 0xffffffffu

extern "C" __global__ void bitonic_sort(unsigned *keys) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  unsigned key = keys[i];
  for (unsigned size = 2; size <= 32; size *= 2) {
    for (unsigned distance = size / 2; distance > 0; distance /= 2) {
      unsigned other = __shfl_xor_sync(FULL, key, distance);
      bool ascending = (lane & size) == 0, lower = (lane & distance) == 0;
      key = ascending == lower ? min(key, other) : max(key, other);
    }
  }
  keys[i] = key;
}
