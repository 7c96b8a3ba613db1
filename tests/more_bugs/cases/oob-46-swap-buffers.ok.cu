// Two arrays change places in a loop; a difference of pointers leads from one to the other.
extern "C" __global__ void k(unsigned *out, unsigned n) {
  __shared__ unsigned ping[64];
  __shared__ unsigned pong[64];
  __shared__ struct { unsigned low[64], high[64]; } both;
  unsigned t = threadIdx.x, *from = ping, *to = pong;
  ping[t] = t;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < n; ++i) {
    to[t] = from[(t + 1) % 64] + 1;
    __syncthreads();
    unsigned *other = from;
    from = to;
    to = other;
  }
  unsigned *whole = both.low;
  whole[t] = t;
  whole[t + 64] = 64 + t;
  __syncthreads();
  unsigned long long apart = (unsigned long long)pong - (unsigned long long)ping;
  unsigned through = *(unsigned *)((unsigned long long)&ping[63 - t] + apart);
  out[t] = from[63 - t] + both.high[63 - t] + through;
}
