// The kernel makes a tensor map of its own from a template, and copies a tile by it.
extern "C" __global__ void k(unsigned *out, const unsigned *model, unsigned *mine, const unsigned *in) {
  __shared__ __align__(128) unsigned tile[32];
  __shared__ __align__(8) unsigned long long done;
  unsigned t = threadIdx.x;
  unsigned bar = (unsigned)__cvta_generic_to_shared(&done), to = (unsigned)__cvta_generic_to_shared(tile);
  if (t == 0) asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n fence.mbarrier_init.release.cluster;" ::"r"(bar) : "memory");
  mine[t] = model[t];
  __syncwarp();
  if (t == 0)
    asm volatile("tensormap.replace.tile.global_address.global.b1024.b64 [%0], %1;" ::"l"(mine), "l"(in) : "memory");
  __threadfence();
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (t == 0)
    asm volatile(
        "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 128;\n"
        " cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%1], [%2, {%3}], [%0];"  //~ FAULT async-wait
        ::"r"(bar), "r"(to), "l"(mine), "r"(16) : "memory");  //~ FAULT async-wait
  asm volatile(
      "{\n .reg .pred p;\nW:\n mbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n @!p bra W;\n}" ::"r"(bar) : "memory");
  out[t] = tile[31 - t];
}
