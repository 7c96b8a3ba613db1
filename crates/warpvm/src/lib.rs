//! Runs CUDA kernels without a GPU and finds wrong warp code.
