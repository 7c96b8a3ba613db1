//! Matrix multiplication as the tensor cores do it.
