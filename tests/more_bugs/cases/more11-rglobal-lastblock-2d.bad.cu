// The last block sums the parts; nobody fences.
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *part, unsigned *n) {
  unsigned b = blockIdx.y * 2 + blockIdx.x, t = threadIdx.x;
  unsigned v = __reduce_add_sync(~0u, in[b * 32 + t]);
  if (t) return;
  part[b] = v;  //~ FAULT
  if (atomicAdd(n, 1) == 3) {
    unsigned sum = 0;
    for (int i = 0; i < 4; ++i) sum += part[i];  //~ FAULT
    out[0] = sum;
  }
}
