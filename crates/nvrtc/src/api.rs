//! The few functions of NVRTC that are needed, loaded at run time. All `unsafe` of this crate is here.
//!
//! The signatures are those of `nvrtc.h`; they have not changed since CUDA 8.

use crate::Error;
use libloading::Library;
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;

/// `nvrtcResult`: 0 is success.
type Code = c_int;
/// `nvrtcProgram`: a handle.
type Handle = *mut c_void;
type GetSize = unsafe extern "C" fn(Handle, *mut usize) -> Code;
type GetText = unsafe extern "C" fn(Handle, *mut c_char) -> Code;

/// `NVRTC_ERROR_COMPILATION`: the source is at fault.
const ERROR_COMPILATION: Code = 6;

/// The loaded library.
pub(crate) struct Nvrtc {
    create: unsafe extern "C" fn(
        *mut Handle,
        *const c_char,
        *const c_char,
        c_int,
        *const *const c_char,
        *const *const c_char,
    ) -> Code,
    destroy: unsafe extern "C" fn(*mut Handle) -> Code,
    compile: unsafe extern "C" fn(Handle, c_int, *const *const c_char) -> Code,
    add_name: unsafe extern "C" fn(Handle, *const c_char) -> Code,
    lowered_name: unsafe extern "C" fn(Handle, *const c_char, *mut *const c_char) -> Code,
    log_size: GetSize,
    log: GetText,
    ptx_size: GetSize,
    ptx: GetText,
    error_string: unsafe extern "C" fn(Code) -> *const c_char,
    /// Keeps the functions above loaded.
    _library: Library,
    /// Keeps what the library opens by name loaded.
    _builtins: Vec<Library>,
}

/// Why a compilation failed.
pub(crate) enum CompileFailure {
    /// The source is at fault; the log says how.
    Source,
    /// An option or the compiler itself.
    Other(String),
}

/// Reads one function of the library.
macro_rules! symbol {
    ($library:expr, $path:expr, $name:literal) => {{
        // SAFETY: the field that this value is stored in has the type that nvrtc.h gives the function.
        let symbol = unsafe { $library.get(concat!($name, "\0").as_bytes()) };
        *symbol.map_err(|e| Error::Library { path: $path.to_owned(), reason: e.to_string() })?
    }};
}

impl Nvrtc {
    /// Loads the library.
    pub(crate) fn load(path: &Path) -> Result<Self, Error> {
        let builtins = load_builtins(path);
        // SAFETY: loading runs the library's initialisers. The file is named like NVRTC and was found in a toolkit
        // folder or named by the user, who asked for it to be used.
        let library = unsafe { Library::new(path) }
            .map_err(|e| Error::Library { path: path.to_owned(), reason: e.to_string() })?;
        Ok(Nvrtc {
            create: symbol!(library, path, "nvrtcCreateProgram"),
            destroy: symbol!(library, path, "nvrtcDestroyProgram"),
            compile: symbol!(library, path, "nvrtcCompileProgram"),
            add_name: symbol!(library, path, "nvrtcAddNameExpression"),
            lowered_name: symbol!(library, path, "nvrtcGetLoweredName"),
            log_size: symbol!(library, path, "nvrtcGetProgramLogSize"),
            log: symbol!(library, path, "nvrtcGetProgramLog"),
            ptx_size: symbol!(library, path, "nvrtcGetPTXSize"),
            ptx: symbol!(library, path, "nvrtcGetPTX"),
            error_string: symbol!(library, path, "nvrtcGetErrorString"),
            _library: library,
            _builtins: builtins,
        })
    }

    /// Makes a program of a source.
    pub(crate) fn program(&self, source: &str, name: &str) -> Result<Program<'_>, Error> {
        let (source, name) = (c_string(source)?, c_string(name)?);
        let mut handle = ptr::null_mut();
        // SAFETY: both strings end in NUL and live through the call, which copies them; there are no headers.
        let code =
            unsafe { (self.create)(&raw mut handle, source.as_ptr(), name.as_ptr(), 0, ptr::null(), ptr::null()) };
        self.check(code)?;
        Ok(Program { nvrtc: self, handle })
    }

    fn check(&self, code: Code) -> Result<(), Error> {
        if code == 0 { Ok(()) } else { Err(Error::Other(self.describe(code))) }
    }

    fn describe(&self, code: Code) -> String {
        // SAFETY: the function accepts any code and returns a static string or null.
        let text = unsafe { (self.error_string)(code) };
        if text.is_null() {
            return format!("error {code}");
        }
        // SAFETY: not null, so a static string with a NUL at its end.
        unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
    }
}

/// A program of NVRTC, destroyed when dropped.
pub(crate) struct Program<'a> {
    nvrtc: &'a Nvrtc,
    handle: Handle,
}

impl Program<'_> {
    /// Asks for the PTX name of a kernel; must come before [`Program::compile`].
    pub(crate) fn add_name(&self, expression: &str) -> Result<(), Error> {
        let expression = c_string(expression)?;
        // SAFETY: the handle is live, the string ends in NUL and is copied.
        self.nvrtc.check(unsafe { (self.nvrtc.add_name)(self.handle, expression.as_ptr()) })
    }

    /// Compiles.
    pub(crate) fn compile(&self, arguments: &[String]) -> Result<(), CompileFailure> {
        let strings = arguments.iter().map(|a| c_string(a)).collect::<Result<Vec<_>, _>>();
        let strings = strings.map_err(|e| CompileFailure::Other(e.to_string()))?;
        let pointers: Vec<*const c_char> = strings.iter().map(|s| s.as_ptr()).collect();
        // SAFETY: the handle is live; `pointers` holds as many strings as said, alive through the call.
        match unsafe { (self.nvrtc.compile)(self.handle, pointers.len() as c_int, pointers.as_ptr()) } {
            0 => Ok(()),
            ERROR_COMPILATION => Err(CompileFailure::Source),
            code => Err(CompileFailure::Other(self.nvrtc.describe(code))),
        }
    }

    /// What the compiler said.
    pub(crate) fn log(&self) -> Result<String, Error> {
        self.text(self.nvrtc.log_size, self.nvrtc.log)
    }

    /// The PTX.
    pub(crate) fn ptx(&self) -> Result<String, Error> {
        self.text(self.nvrtc.ptx_size, self.nvrtc.ptx)
    }

    /// The PTX name of an expression that was added before compiling.
    pub(crate) fn lowered_name(&self, expression: &str) -> Result<String, Error> {
        let expression = c_string(expression)?;
        let mut name = ptr::null();
        // SAFETY: the handle is live and compiled; `name` receives a string that the program owns.
        self.nvrtc.check(unsafe { (self.nvrtc.lowered_name)(self.handle, expression.as_ptr(), &raw mut name) })?;
        if name.is_null() {
            return Err(Error::Other("no lowered name".to_owned()));
        }
        // SAFETY: not null after success: a NUL-terminated string that lives as long as the program; copied here.
        Ok(unsafe { CStr::from_ptr(name) }.to_string_lossy().into_owned())
    }

    fn text(&self, size: GetSize, get: GetText) -> Result<String, Error> {
        let mut length = 0;
        // SAFETY: the handle is live; `length` receives the size with its NUL.
        self.nvrtc.check(unsafe { size(self.handle, &raw mut length) })?;
        let mut buffer = vec![0u8; length.max(1)];
        // SAFETY: the buffer has the size that was just asked for.
        self.nvrtc.check(unsafe { get(self.handle, buffer.as_mut_ptr().cast()) })?;
        let end = buffer.iter().position(|&byte| byte == 0).unwrap_or(buffer.len());
        Ok(String::from_utf8_lossy(&buffer[..end]).into_owned())
    }
}

impl Drop for Program<'_> {
    fn drop(&mut self) {
        // SAFETY: the handle is live and not used again. A failure to free it is of no consequence.
        let _ = unsafe { (self.nvrtc.destroy)(&raw mut self.handle) };
    }
}

/// Loads the built-ins beside the library. NVRTC opens them by name alone and fails where its folder is not on the
/// loader's path, as with Python packages; a library that is loaded already is found by its name.
fn load_builtins(nvrtc: &Path) -> Vec<Library> {
    let entries = nvrtc.parent().and_then(|folder| std::fs::read_dir(folder).ok()).into_iter().flatten();
    let paths = entries.filter_map(|entry| entry.ok().map(|e| e.path()));
    let named = |path: &Path| {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        name.starts_with("libnvrtc-builtins.so.") || name.starts_with("nvrtc-builtins64_")
    };
    // SAFETY: the files stand beside the library that is loaded next, which would load them itself.
    // One that cannot be loaded is left for NVRTC to complain about.
    paths.filter(|path| named(path)).filter_map(|path| unsafe { Library::new(path) }.ok()).collect()
}

fn c_string(text: &str) -> Result<CString, Error> {
    CString::new(text).map_err(|_| Error::Other(format!("a NUL character in `{}`", text.escape_default())))
}
