extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned *tile, unsigned *flag) {
  unsigned t = threadIdx.x, b = blockIdx.x;
  unsigned acc = in[b * 32 + t];
  if (b > 0) {
    if (t == 0)
      while (*(volatile unsigned *)&flag[b - 1] == 0) {}
    __syncthreads();
    __threadfence();
    acc += __ldcg(&tile[t]);
  }
  if (b == 2) { out[t] = acc; return; }
  tile[t] = acc;
  __threadfence();
  __syncthreads();
  if (t == 0) atomicExch(&flag[b], 1);
}
