// Rows of 33 words read as float4.
extern "C" __global__ void k(float4 *out, const float *in) {
  unsigned x = threadIdx.x, y = threadIdx.y;
  const int P = 33;
  out[y * 8 + x] = *(const float4 *)(in + y * P + x * 4 - (x == 7 && y ? 4 : 0));  //~ FAULT
}
