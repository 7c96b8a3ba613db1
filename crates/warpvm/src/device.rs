//! A device: global memory and launches.

use warpvm_machine::launch::{self, Config, Convergence, Dimensions, Launch, Schedule, Tier};
use warpvm_machine::memory::{AllocError, GlobalMemory, Origin};
use warpvm_machine::observe::Nobody;
use warpvm_sem::tensor_map::TensorMap;

use crate::{Error, Kernel, Module};

/// Most bytes of global memory, where nothing else is said: 16 GiB.
const MEMORY_LIMIT: u64 = 16 << 30;

/// A virtual GPU with one module loaded.
pub struct Device {
    pub(crate) memory: GlobalMemory,
}

/// A buffer in global memory.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Buffer {
    /// Its device address.
    pub address: u64,
    /// Its length in bytes.
    pub bytes: u64,
}

/// A number that buffers hold.
pub trait Element: Copy {
    /// Size in bytes.
    const BYTES: usize;
    /// Appends the little-endian bytes.
    fn put(self, out: &mut Vec<u8>);
    /// Reads little-endian bytes, [`Element::BYTES`] of them.
    fn get(bytes: &[u8]) -> Self;
}

macro_rules! elements {
    ($($t:ty),*) => { $(
        impl Element for $t {
            const BYTES: usize = size_of::<$t>();
            fn put(self, out: &mut Vec<u8>) {
                out.extend_from_slice(&self.to_le_bytes());
            }
            fn get(bytes: &[u8]) -> Self {
                let mut b = [0; size_of::<$t>()];
                b.copy_from_slice(&bytes[..size_of::<$t>()]);
                <$t>::from_le_bytes(b)
            }
        }
    )* };
}
elements!(u8, i8, u16, i16, u32, i32, u64, i64, f32, f64);

/// An argument of a launch, checked against the kernel's parameter.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A 64-bit parameter that points to a buffer.
    Buffer(Buffer),
    /// A 32-bit unsigned integer.
    U32(u32),
    /// A 32-bit signed integer.
    I32(i32),
    /// A 64-bit unsigned integer (or an address).
    U64(u64),
    /// A 64-bit signed integer.
    I64(i64),
    /// A 32-bit float.
    F32(f32),
    /// A 64-bit float.
    F64(f64),
    /// The little-endian bytes of a parameter of any type, e.g. a struct.
    Bytes(Vec<u8>),
}

impl Arg {
    /// A tensor map (`const __grid_constant__ CUtensorMap`), as the driver encodes it.
    ///
    /// # Errors
    /// Invalid, where the driver refuses the map.
    pub fn tensor_map(map: &TensorMap) -> Result<Self, Error> {
        let bytes = map.encode().map_err(|e| Error::invalid(e.to_string()))?;
        Ok(Arg::Bytes(bytes.to_vec()))
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            Arg::Buffer(b) => b.address.to_le_bytes().to_vec(),
            Arg::U32(v) => v.to_le_bytes().to_vec(),
            Arg::I32(v) => v.to_le_bytes().to_vec(),
            Arg::U64(v) => v.to_le_bytes().to_vec(),
            Arg::I64(v) => v.to_le_bytes().to_vec(),
            Arg::F32(v) => v.to_le_bytes().to_vec(),
            Arg::F64(v) => v.to_le_bytes().to_vec(),
            Arg::Bytes(v) => v.clone(),
        }
    }
}

/// How to launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
    /// CTAs of a cluster in x, y and z; the kernel's own (`.reqnctapercluster`) where it has one.
    pub cluster: [u32; 3],
    /// Who runs next.
    pub schedule: Schedule,
    /// How lanes that parted meet again.
    pub convergence: Convergence,
    /// Most warp instructions of a CTA before the launch ends as exhausted.
    pub max_steps: u64,
    /// Host threads; 0 for one a core.
    pub threads: usize,
    /// Machine code where it can be had, or the interpreter alone. Both give the same answers.
    pub tier: Tier,
}

impl Default for Options {
    fn default() -> Self {
        let config = Config::default();
        Options {
            shared_bytes: 0,
            cluster: [1, 1, 1],
            schedule: config.schedule,
            convergence: config.convergence,
            max_steps: config.max_steps,
            threads: config.threads,
            tier: config.tier,
        }
    }
}

/// What a launch gave besides the buffers.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// What the kernel printed.
    pub output: Vec<u8>,
    /// Warp instructions that ran.
    pub steps: u64,
    /// Counters of `pmevent`, by number.
    pub events: [u64; 16],
}

impl Device {
    /// A device with the module's variables in place.
    ///
    /// # Errors
    /// Exhausted, where they do not fit into memory.
    pub fn new(module: &Module) -> Result<Self, Error> {
        let mut memory = GlobalMemory::new(MEMORY_LIMIT).map_err(out_of_memory)?;
        module.image.instantiate(&mut memory).map_err(out_of_memory)?;
        Ok(Device { memory })
    }

    /// Allocates `bytes` bytes of zeros. `name` is what messages call the buffer.
    ///
    /// # Errors
    /// Exhausted, where memory is used up.
    pub fn allocate(&mut self, name: &str, bytes: u64) -> Result<Buffer, Error> {
        let origin = Origin::Buffer(name.to_owned());
        let address = self.memory.allocate(bytes, origin, true).map_err(out_of_memory)?;
        Ok(Buffer { address, bytes })
    }

    /// Allocates `bytes` bytes that nobody has written: a check finds reads of them.
    ///
    /// # Errors
    /// Exhausted, where memory is used up.
    pub fn allocate_uninitialised(&mut self, name: &str, bytes: u64) -> Result<Buffer, Error> {
        let origin = Origin::Buffer(name.to_owned());
        let address = self.memory.allocate(bytes, origin, false).map_err(out_of_memory)?;
        Ok(Buffer { address, bytes })
    }

    /// Allocates a buffer that holds `data`.
    ///
    /// # Errors
    /// Exhausted, where memory is used up.
    pub fn upload<T: Element>(&mut self, name: &str, data: &[T]) -> Result<Buffer, Error> {
        let mut bytes = Vec::with_capacity(data.len() * T::BYTES);
        data.iter().for_each(|x| x.put(&mut bytes));
        let buffer = self.allocate(name, bytes.len() as u64)?;
        self.memory.write(buffer.address, &bytes);
        Ok(buffer)
    }

    /// Overwrites the start of a buffer.
    ///
    /// # Errors
    /// Invalid, where the data is longer than the buffer.
    pub fn write<T: Element>(&mut self, buffer: Buffer, data: &[T]) -> Result<(), Error> {
        let mut bytes = Vec::with_capacity(data.len() * T::BYTES);
        data.iter().for_each(|x| x.put(&mut bytes));
        if bytes.len() as u64 > buffer.bytes || !self.memory.write(buffer.address, &bytes) {
            return Err(Error::invalid(format!("{} bytes do not fit a buffer of {}", bytes.len(), buffer.bytes)));
        }
        Ok(())
    }

    /// What a buffer holds.
    pub fn download<T: Element>(&self, buffer: Buffer) -> Vec<T> {
        let bytes = self.memory.read(buffer.address, buffer.bytes).unwrap_or(&[]);
        bytes.chunks_exact(T::BYTES).map(T::get).collect()
    }

    /// The place of a `.global` or `.const` variable of the module, by its name in the PTX.
    pub fn variable(&self, module: &Module, name: &str) -> Option<Buffer> {
        module.image.variable(name).map(|(address, bytes)| Buffer { address, bytes })
    }

    /// Frees a buffer: a kernel that uses it afterwards is at fault.
    pub fn free(&mut self, buffer: Buffer) {
        self.memory.free(buffer.address);
    }

    /// Runs a kernel to its end.
    ///
    /// `grid` is in CTAs, `block` in threads, both as x, y, z.
    ///
    /// # Errors
    /// Invalid, where the launch does not fit the kernel; a finding, where the kernel faults (a bad address, lanes that
    /// wait for ever, `trap`, a failed assertion); exhausted, where a limit was reached.
    pub fn launch(
        &mut self,
        kernel: &Kernel,
        grid: [u32; 3],
        block: [u32; 3],
        args: &[Arg],
        options: &Options,
    ) -> Result<Report, Error> {
        let params = pack(kernel, args)?;
        let dimensions = Dimensions { grid, block, cluster: kernel.program.cluster.unwrap_or(options.cluster) };
        let launch = Launch { dimensions, dynamic_shared: options.shared_bytes, params: &params, cancel: None };
        let config = Config {
            schedule: options.schedule,
            convergence: options.convergence,
            max_steps: options.max_steps,
            threads: options.threads,
            tier: options.tier,
        };
        let (outcome, _) = launch::run(&kernel.program, &self.memory, &launch, &config, || Nobody)
            .map_err(|e| Error::invalid(e.to_string()))?;
        if let Some(fault) = outcome.fault {
            let d = warpvm_report::fault::diagnostic(&kernel.program, &self.memory, &kernel.path, &fault);
            return Err(Error { diagnostics: vec![d] });
        }
        Ok(Report { output: outcome.output, steps: outcome.steps, events: outcome.events })
    }
}

fn out_of_memory(e: AllocError) -> Error {
    Error::exhausted(e.to_string())
}

/// Lays the arguments out as the kernel's parameters.
pub(crate) fn pack(kernel: &Kernel, args: &[Arg]) -> Result<Vec<u8>, Error> {
    let params = &kernel.program.params;
    if params.len() != args.len() {
        let list: Vec<String> = params.iter().map(|p| format!("`.{} {}`", p.ty, p.name)).collect();
        let text = format!(
            "kernel `{}` takes {} arguments, not {}: {}",
            kernel.name(),
            params.len(),
            args.len(),
            list.join(", ")
        );
        return Err(Error::invalid(text));
    }
    let mut out = vec![0; kernel.program.param_bytes as usize];
    for (n, (p, a)) in params.iter().zip(args).enumerate() {
        let bytes = a.bytes();
        if bytes.len() != p.len as usize {
            let text = format!(
                "argument {n} has {} bytes, but parameter `{}` of kernel `{}` is a `.{}` of {}",
                bytes.len(),
                p.name,
                kernel.name(),
                p.ty,
                p.len
            );
            return Err(Error::invalid(text));
        }
        out[p.offset as usize..][..bytes.len()].copy_from_slice(&bytes);
    }
    Ok(out)
}
