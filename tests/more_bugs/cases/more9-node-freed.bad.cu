// The list's node is freed by the lane that took it, but its neighbour still follows the pointer.
struct Node { unsigned value; Node *next; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x;
  Node *n = (Node *)malloc(sizeof(Node));
  n->value = in[t];
  n->next = nullptr;
  unsigned long long p = (unsigned long long)n;
  Node *other = (Node *)__shfl_xor_sync(0xffffffff, p, 1);
  if (t % 2) free(n);
  __syncwarp();
  out[t] = other->value;  //~ FAULT use-after-free
  __syncwarp();
  if (t % 2 == 0) free(n);
}
