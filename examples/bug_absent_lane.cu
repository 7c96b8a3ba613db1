// Bug: a ballot of all lanes inside a branch that only some take.
//
// What to see: the lanes with small elements never reach the ballot; they wait at the shuffle below it. `absent-lane`
// names them and where they are. Chips may hang here, or not, depending on the compiler. Mend it by taking the
// ballot before the branch.
//
//     warpvm check --launch examples/bug_absent_lane.json

#define FULL 0xffffffffu

extern "C" __global__ void absent_lane(unsigned *out, const unsigned *in) {
  unsigned x = in[threadIdx.x], count = 0;
  if (x > 100) {
    count = __popc(__ballot_sync(FULL, x > 200));
  }
  out[threadIdx.x] = __shfl_sync(FULL, x, 0) + count;
}
