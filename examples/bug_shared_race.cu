// Bug: a tile in shared memory is read before it is written.
//
// What to see: each thread reads what a thread of another warp writes, with no barrier between. On a chip it goes
// wrong when the warps happen to run in the other order. `race-block` names both ends. Mend it with a
// `__syncthreads()` between the two lines.
//
//     warpvm check --launch examples/bug_shared_race.json

extern "C" __global__ void shared_race(float *out, const float *in) {
  __shared__ float tile[256];
  unsigned t = threadIdx.x;
  tile[t] = in[t];
  out[t] = tile[255 - t];
}
