// A float4 is passed on in four shuffles; lane 31 has no neighbour... in the mask.
extern "C" __global__ void k(float4 *out, const float4 *in) {
  unsigned t = threadIdx.x;
  float4 v = in[t];
  if (t < 31) {
    float4 w;
    unsigned src = t + 1;
    w.x = __shfl_sync(0x7fffffffu, v.x, src);  //~ FAULT
    w.y = __shfl_sync(0x7fffffffu, v.y, src);  //~ FAULT
    w.z = __shfl_sync(0x7fffffffu, v.z, src);  //~ FAULT
    w.w = __shfl_sync(0x7fffffffu, v.w, src);  //~ FAULT
    v = w;
  }
  out[t] = v;
}
