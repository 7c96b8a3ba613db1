struct Item { unsigned key, count; };
__device__ __noinline__ void fill(Item *it, unsigned k) { it->key = k; if (k > 50) it->count = 1; }
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  Item it;
  fill(&it, in[t]);
  out[t] = it.key + it.count;  //~ FAULT uninit-local
}
