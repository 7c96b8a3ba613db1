struct Node { Node *next; unsigned v; };
extern "C" __global__ void k(unsigned *out, const unsigned *in) {
  unsigned t = threadIdx.x, s = 0;
  Node *head = nullptr;
  for (unsigned i = 0; i < in[t]; ++i) { Node *n = (Node *)malloc(sizeof(Node)); if (!n) break; n->next = head; n->v = i; head = n; }
  for (Node *n = head; n;) { s += n->v; Node *x = n->next; free(n); n = x; }
  out[t] = s;
}
