template <class T> __device__ T ratio(T a, T b) { return a % b; } //~ FAULT div-zero
extern "C" __global__ void k(int *out, const int *in) {
  int t = threadIdx.x;
  out[t] = ratio<int>(in[t], in[t] % 3); //~ FAULT div-zero
}
