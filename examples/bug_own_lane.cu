// Bug: the mask of a reduction lacks the bit of a lane that calls it.
//
// What to see: the mask names the first n lanes, but all lanes call. With n = 31, lane 31 asks for a reduction that
// it takes no part in: what it and the others get is undefined, and usually looks right. `own-lane` names the lane
// and the mask. Mend it by keeping the surplus lanes out: `if (lane < n)` around the call.
//
//     warpvm check --launch examples/bug_own_lane.json

extern "C" __global__ void own_lane(unsigned *out, const unsigned *in, unsigned n) {
  unsigned lane = threadIdx.x;
  unsigned first_n = (1u << n) - 1;
  unsigned largest = __reduce_max_sync(first_n, in[lane]);
  if (lane < n) out[lane] = largest;
}
