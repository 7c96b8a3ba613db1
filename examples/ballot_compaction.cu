// Stream compaction: the multiples of three, packed, in order.
//
// What to see: one `vote.sync.ballot` tells every lane which lanes keep their element; counting the bits below
// its own gives each lane its place. The ballot stands before the branch, where all lanes are; inside it, it
// would wait for lanes that never come (see bug_absent_lane.cu).
//
//     warpvm run --launch examples/ballot_compaction.json

#define FULL 0xffffffffu

extern "C" __global__ void ballot_compaction(unsigned *out, unsigned *count, const unsigned *in) {
  __shared__ unsigned kept[32];
  unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  unsigned x = in[threadIdx.x];
  bool keep = x % 3 == 0;
  unsigned keepers = __ballot_sync(FULL, keep);
  if (lane == 0) kept[warp] = __popc(keepers);
  __syncthreads();

  unsigned before = 0;
  for (unsigned w = 0; w < warp; ++w) before += kept[w];
  if (keep) out[before + __popc(keepers & ((1u << lane) - 1))] = x;
  if (warp == warps - 1 && lane == 0) *count = before + kept[warp];
}
