//! Matrix operations of a warp on the functions of `warpvm_sem::tensor`.
