// A graph in pull style: each vertex reads its neighbour's new value in place.
extern "C" __global__ void k(unsigned *val, const unsigned *next) {
  unsigned v = blockIdx.x * 32 + threadIdx.x;
  val[v] = max(val[next[v]], v);  //~ FAULT
}
