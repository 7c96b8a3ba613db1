// Bytes indexed with a value that is not masked.
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, x = in[t];
  unsigned char seen[256];
  for (int i = 0; i < 256; ++i) seen[i] = 0;
  seen[x + 40] = 1;  //~ FAULT
  unsigned n = 0;
  for (int i = 0; i < 256; ++i) n += seen[(i * 7 + t) & 255];
  out[t] = n;
}
