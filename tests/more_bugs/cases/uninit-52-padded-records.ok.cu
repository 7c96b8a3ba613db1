// Structures with padding, and a workspace whose tail nobody uses, in buffers that nobody wrote.
struct Record { unsigned char kind; unsigned value; unsigned short tail; };
struct alignas(8) Wide { unsigned a; unsigned char b; };
extern "C" __global__ void k(void *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  Record r;
  r.kind = t; r.value = in[t]; r.tail = t;
  Wide w;
  w.a = t; w.b = t;
  if (t < 16) ((Record *)out)[t] = r;
  else ((Wide *)((char *)out + 256))[t] = w;
}
