// A union: bytes are set, the word is read.
union U { unsigned w[4]; unsigned char b[16]; };
extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned i) {
  unsigned t = threadIdx.x;
  U u;
  for (unsigned j = 0; j < 7; ++j) u.b[(j * i) & 15] = in[t] + j;
  out[t] = u.w[i];  //~ FAULT
}
