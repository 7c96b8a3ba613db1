// Smith-Waterman local alignment of 32 letters (of an alphabet of four) with a longer text: a letter a lane.
//
// What to see: the score of a cell is max(diagonal + match, max(up, left) - gap, 0). The fused min and max family
// does it in few instructions: `__vimax3_s32_relu` is a three-way maximum clamped at zero, `__viaddmax_s32` an
// addition and a maximum. The score from above comes from the lane above, by `shfl.sync.up`.
//
//     warpvm run --launch examples/smith_waterman.json

#define FULL 0xffffffffu

extern "C" __global__ void smith_waterman(int *best_of, const unsigned char *query, const unsigned char *text,
                                          int length) {
  const int gap = 2;
  int lane = threadIdx.x, best = 0, left = 0, diagonal = 0;
  int letter = query[lane] % 4;
  for (int step = 0; step < length + 31; ++step) {
    int column = step - lane;
    int up = __shfl_up_sync(FULL, left, 1);
    if (lane == 0) up = 0;
    if (column >= 0 && column < length) {
      int match = text[column] % 4 == letter ? 3 : -2;
      left = __vimax3_s32_relu(diagonal + match, up - gap, left - gap);
      best = __viaddmax_s32(left, 0, best);
    }
    diagonal = up;
  }
  best_of[lane] = best;
}
