extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  __shared__ unsigned data[4], ready;
  unsigned t = threadIdx.x;
  if (t == 0) ready = 0;
  __syncwarp();
  if (t < 4) {
    data[t] = in[t];  //~ FAULT race-warp
    atomicAdd(&ready, 1u);
  }
  if (t == 31) {
    while (atomicAdd(&ready, 0u) != 4) { }
    out[0] = data[0] + data[1] + data[2] + data[3];  //~ FAULT race-warp
  }
}
