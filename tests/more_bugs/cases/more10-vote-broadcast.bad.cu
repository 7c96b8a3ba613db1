// A warp's leader stores, the others read after a vote: a vote orders no memory.
template <int Width> struct Exchange {
  unsigned *slot;
  __device__ unsigned broadcast(unsigned v, bool leads) {
    if (leads) slot[0] = v;  //~ FAULT race-warp
    if (!__any_sync(0xffffffff, leads)) return 0;
    return slot[0];  //~ FAULT race-warp
  }
};
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned slots[2];
  unsigned t = threadIdx.x;
  Exchange<32> e{&slots[t / 32]};
  unsigned most = __reduce_max_sync(0xffffffff, in[t]);
  out[t] = e.broadcast(in[t], in[t] == most);
}
