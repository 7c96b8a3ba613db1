// A structure per lane in global memory; the neighbour's second field is read.
struct Node { unsigned a, b; };
extern "C" __global__ void k(unsigned *out, const unsigned *in, Node *n) {
  unsigned t = threadIdx.x;
  Node v = {in[t], t};
  n[t] = v;  //~ FAULT
  out[t] = n[(t + 5) % 32].b;  //~ FAULT
}
