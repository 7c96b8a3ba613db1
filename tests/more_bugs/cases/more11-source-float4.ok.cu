extern "C" __global__ void k(float4 *out, const float4 *in) {
  unsigned t = threadIdx.x;
  float4 v = in[t];
  if (t < 31) {
    float4 w;
    unsigned src = t < 30 ? t + 1 : 0;
    w.x = __shfl_sync(0x7fffffffu, v.x, src);
    w.y = __shfl_sync(0x7fffffffu, v.y, src);
    w.z = __shfl_sync(0x7fffffffu, v.z, src);
    w.w = __shfl_sync(0x7fffffffu, v.w, src);
    v = w;
  }
  out[t] = v;
}
