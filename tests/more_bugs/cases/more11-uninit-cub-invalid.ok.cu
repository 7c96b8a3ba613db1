extern "C" __global__ void k(unsigned *out, const unsigned *in, unsigned n) {
  unsigned t = threadIdx.x, key[4];
  for (unsigned i = 0; i < n; ++i) key[i] = in[(t + i) % 32];
  for (unsigned i = 1; i < n; ++i)
    for (unsigned j = i; j && key[j - 1] > key[j]; --j) { unsigned x = key[j]; key[j] = key[j - 1]; key[j - 1] = x; }
  out[t] = key[0];
}
