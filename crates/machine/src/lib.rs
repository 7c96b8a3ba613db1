//! A virtual streaming multiprocessor: program form, warps, memory, scheduler.
