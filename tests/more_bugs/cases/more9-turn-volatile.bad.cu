// Lanes take turns by a volatile ticket in shared memory: nothing orders the others' stores.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ volatile unsigned turn;
  __shared__ unsigned sum;
  unsigned t = threadIdx.x, warp = t / 32;
  if (t == 0) { turn = 0; sum = 0; }
  __syncthreads();
  unsigned v = __reduce_add_sync(0xffffffff, in[t]);
  if (t % 32 == 0) {
    while (turn != warp) ;
    sum = sum * 3 + v;  //~ FAULT race-block
    turn = warp + 1;
  }
  __syncthreads();
  out[t] = sum;
}
