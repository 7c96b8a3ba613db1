//! From the tree of a PTX module to a program: names resolved, modifiers resolved, reconvergence explicit.
//!
//! [`Image`] is the module: where its variables lie, what they hold, which functions it has. [`Image::lower`] lowers
//! one kernel with every function that it can reach. All that is wrong or not supported is collected, not only the
//! first.

mod address;
pub(crate) mod again;
mod asynchronous;
mod body;
mod call;
pub mod cfg;
mod contract;
mod finish;
mod instruction;
mod memory;
mod moves;
mod operand;
mod scope;
pub(crate) mod strand;
mod tensor;
mod warp;

pub(crate) use cfg::post_dominators;

use std::collections::HashMap;
use std::sync::Arc;

use warpvm_isa::{ScalarType, StateSpace};
use warpvm_ptx::tree::{Constant, Function, Initializer, Item, Linkage, Module, Name, Span, Variable};

use crate::memory::{AllocError, CODE_BASE, GlobalMemory, Origin};
use crate::program::Program;

/// What is wrong with an input, or what this machine does not have yet.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct LowerError {
    /// Which of the two.
    pub kind: LowerErrorKind,
    /// Where in the PTX.
    pub span: Span,
    /// What.
    pub message: String,
}

/// Kinds of [`LowerError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LowerErrorKind {
    /// The module is malformed.
    Invalid,
    /// The module is fine, but this machine does not have it.
    Unsupported,
}

pub(crate) fn invalid(span: Span, message: impl Into<String>) -> LowerError {
    LowerError { kind: LowerErrorKind::Invalid, span, message: message.into() }
}

pub(crate) fn unsupported(span: Span, message: impl Into<String>) -> LowerError {
    LowerError { kind: LowerErrorKind::Unsupported, span, message: message.into() }
}

/// A module-scope variable with its place.
#[derive(Clone, Debug)]
pub(crate) struct Placed {
    /// `.global`, `.const` or `.shared`.
    pub space: StateSpace,
    /// Address in the arena, or offset in the window of shared memory.
    pub address: u64,
    /// Bytes.
    pub len: u64,
}

/// A module with its variables placed.
pub struct Image {
    /// The tree.
    pub module: Arc<Module>,
    /// The text.
    pub source: Arc<str>,
    pub(crate) variables: HashMap<Name, Placed>,
    order: Vec<(Name, Variable)>,
    pub(crate) functions: HashMap<Name, usize>,
    pub(crate) aliases: HashMap<Name, Name>,
    pub(crate) files: HashMap<u32, String>,
    /// Bytes of shared variables at module scope, after the start of the window; and the alignment of dynamic ones.
    pub(crate) shared: SharedLayout,
}

/// Offsets of shared variables in the window of shared memory.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedLayout {
    pub vars: Vec<crate::program::Variable>,
    pub used: u32,
    pub dynamic_align: u32,
    /// Names of `extern` arrays: they all start where static memory ends.
    pub dynamic: Vec<String>,
}

impl SharedLayout {
    /// Places a static variable; gives its offset in the window.
    pub fn place(&mut self, name: String, len: u32, align: u32) -> u32 {
        let offset = (crate::memory::SHARED_START + self.used).next_multiple_of(align.max(1));
        self.used = offset + len - crate::memory::SHARED_START;
        self.vars.push(crate::program::Variable { name, offset, len });
        offset
    }
}

/// Bytes and alignment of a variable; `None` for the length of `[]`.
pub(crate) fn size_of(v: &Variable) -> (Option<u64>, u32) {
    let unit = u64::from(v.ty.bytes().max(1)) * u64::from(v.vector.max(1));
    let len = v.dims.iter().try_fold(unit, |n, d| d.map(|d| n.saturating_mul(d)));
    (len, v.align.unwrap_or(unit as u32).max(1))
}

impl Image {
    /// Places the variables of a module.
    ///
    /// # Errors
    /// Everything that is wrong at module scope.
    pub fn new(module: Arc<Module>, source: Arc<str>) -> Result<Self, Vec<LowerError>> {
        let mut image = Image {
            module: module.clone(),
            source,
            variables: HashMap::new(),
            order: Vec::new(),
            functions: HashMap::new(),
            aliases: HashMap::new(),
            files: HashMap::new(),
            shared: SharedLayout::default(),
        };
        let mut errors = Vec::new();
        let mut next = crate::memory::GLOBAL_BASE;
        for (index, item) in module.items.iter().enumerate() {
            match item {
                Item::Variable(v) => {
                    if let Err(e) = image.place(v, &mut next) {
                        errors.push(e);
                    }
                }
                Item::Function(f) => {
                    let old = image.functions.get(&f.name).map(|&i| &module.items[i]);
                    let has_body = matches!(old, Some(Item::Function(Function { body: Some(_), .. })));
                    if !has_body {
                        image.functions.insert(f.name, index);
                    }
                }
                Item::Alias { alias, aliasee, .. } => {
                    image.aliases.insert(*alias, *aliasee);
                }
                Item::File { index, path, .. } => {
                    image.files.insert(*index, path.clone());
                }
                Item::Section(_) | Item::Pragma(..) => {}
            }
        }
        if errors.is_empty() { Ok(image) } else { Err(errors) }
    }

    fn place(&mut self, v: &Variable, next: &mut u64) -> Result<(), LowerError> {
        let name = self.module.name(v.name).to_owned();
        let (len, align) = size_of(v);
        let placed = match v.space {
            StateSpace::Global | StateSpace::Const => {
                let len = match (len, &v.init) {
                    (Some(len), _) => len,
                    (None, Some(init)) => initializer_len(init, v),
                    (None, None) if v.linkage == Linkage::Extern => {
                        return Err(unsupported(
                            v.span,
                            format!("`{name}` is `.extern`: linking modules is not supported"),
                        ));
                    }
                    (None, None) => return Err(invalid(v.span, format!("`{name}` has no size and no initialiser"))),
                };
                if v.linkage == Linkage::Extern {
                    return Err(unsupported(
                        v.span,
                        format!("`{name}` is `.extern`: linking modules is not supported"),
                    ));
                }
                let address = *next;
                *next = GlobalMemory::after(address, len)
                    .filter(|end| *end < crate::memory::GLOBAL_BASE + (1 << 36))
                    .ok_or_else(|| {
                    invalid(v.span, format!("`{name}` of {len} bytes does not fit into global memory"))
                })?;
                self.order.push((v.name, v.clone()));
                Placed { space: v.space, address, len }
            }
            StateSpace::Shared => match len {
                Some(len) if v.linkage != Linkage::Extern && len > 0 => {
                    if len > 1 << 24 {
                        return Err(invalid(v.span, format!("`{name}` of {len} bytes is too large for shared memory")));
                    }
                    let offset = self.shared.place(name, len as u32, align);
                    Placed { space: v.space, address: u64::from(offset), len }
                }
                _ => {
                    self.shared.dynamic.push(name);
                    self.shared.dynamic_align = self.shared.dynamic_align.max(align);
                    Placed { space: v.space, address: u64::MAX, len: 0 }
                }
            },
            _ => {
                return Err(unsupported(
                    v.span,
                    format!("a `{:?}` variable at module scope is not supported", v.space),
                ));
            }
        };
        self.variables.insert(v.name, placed);
        Ok(())
    }

    /// Allocates and fills the module's variables. `memory` must be new.
    ///
    /// # Errors
    /// Where the variables do not fit.
    pub fn instantiate(&self, memory: &mut GlobalMemory) -> Result<(), AllocError> {
        for (name, v) in &self.order {
            let placed = &self.variables[name];
            let text = self.module.name(*name).to_owned();
            let base = memory.allocate(placed.len, Origin::Variable(text), true)?;
            debug_assert_eq!(base, placed.address);
            if let Some(init) = &v.init {
                let mut bytes = Vec::new();
                self.write_initializer(init, v, &mut bytes);
                bytes.truncate(placed.len as usize);
                memory.write(base, &bytes);
            }
        }
        Ok(())
    }

    fn write_initializer(&self, init: &Initializer, v: &Variable, out: &mut Vec<u8>) {
        match init {
            Initializer::Value(c) => self.write_constant(*c, v.ty, out),
            Initializer::List(list) => self.write_list(list, v, &v.dims, out),
            // Properties of an opaque texture, sampler or surface: nothing in memory.
            Initializer::Attribute(..) => {}
        }
    }

    fn write_list(&self, list: &[Initializer], v: &Variable, dims: &[Option<u64>], out: &mut Vec<u8>) {
        let inner = dims.get(1..).unwrap_or(&[]);
        let unit = u64::from(v.ty.bytes().max(1)) * u64::from(v.vector);
        let stride = inner.iter().fold(unit, |n, d| n.saturating_mul(d.unwrap_or(1)));
        for item in list {
            let start = out.len() as u64;
            match item {
                Initializer::Value(c) => self.write_constant(*c, v.ty, out),
                Initializer::Attribute(..) => {}
                Initializer::List(list) => {
                    self.write_list(list, v, inner, out);
                    let end = start.saturating_add(stride).min(start + (1 << 32));
                    out.resize((end as usize).max(out.len()), 0);
                }
            }
        }
    }

    fn write_constant(&self, c: Constant, ty: ScalarType, out: &mut Vec<u8>) {
        let bytes = (ty.bytes().max(1) as usize).min(16);
        let value: u128 = match c {
            Constant::Int(i) if ty == ScalarType::F32 => u128::from((i as f32).to_bits()),
            Constant::Int(i) if ty == ScalarType::F64 => u128::from((i as f64).to_bits()),
            Constant::Int(i) => i as i128 as u128,
            Constant::F32(bits) if ty == ScalarType::F64 => u128::from(f64::from(f32::from_bits(bits)).to_bits()),
            Constant::F32(bits) => u128::from(bits),
            Constant::F64(bits) if ty == ScalarType::F32 => u128::from((f64::from_bits(bits) as f32).to_bits()),
            Constant::F64(bits) => u128::from(bits),
            Constant::Symbol { name, offset, generic, mask } => {
                let address = self.symbol_address(name, generic).unwrap_or(0).wrapping_add(offset as u64);
                match mask {
                    Some(mask) if mask != 0 => u128::from((address & mask) >> mask.trailing_zeros()),
                    _ => u128::from(address),
                }
            }
        };
        out.extend_from_slice(&value.to_le_bytes()[..bytes]);
    }

    /// The address of a variable or the code of a function.
    pub(crate) fn symbol_address(&self, name: Name, generic: bool) -> Option<u64> {
        if let Some(v) = self.variables.get(&name) {
            let window = if generic && v.space == StateSpace::Shared { crate::memory::SHARED_BASE } else { 0 };
            return Some(v.address.wrapping_add(window));
        }
        self.function_index(name).map(Self::code_of)
    }

    /// What a pointer to the function holds.
    pub(crate) fn code_of(index: usize) -> u64 {
        CODE_BASE + 16 * (index as u64 + 1)
    }

    /// Index among the module's items, through aliases.
    pub(crate) fn function_index(&self, name: Name) -> Option<usize> {
        let mut name = name;
        for _ in 0..16 {
            match self.aliases.get(&name) {
                Some(&aliasee) => name = aliasee,
                None => break,
            }
        }
        self.functions.get(&name).copied()
    }

    /// Functions whose address an initialiser of a variable holds.
    pub(crate) fn functions_in_tables(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut left: Vec<&Initializer> = self.order.iter().filter_map(|(_, v)| v.init.as_ref()).collect();
        while let Some(init) = left.pop() {
            match init {
                Initializer::Value(Constant::Symbol { name, .. }) => found.extend(self.function_index(*name)),
                Initializer::List(list) => left.extend(list),
                Initializer::Value(_) | Initializer::Attribute(..) => {}
            }
        }
        found
    }

    /// The function at an index that [`Image::function_index`] gave.
    pub(crate) fn function(&self, index: usize) -> &Function {
        match &self.module.items[index] {
            Item::Function(f) => f,
            _ => unreachable!("function indices point to functions"),
        }
    }

    /// Names of the kernels, in order.
    pub fn entries(&self) -> Vec<String> {
        let kernels = self.module.items.iter().filter_map(|item| match item {
            Item::Function(f) if f.is_entry && f.body.is_some() => Some(self.module.name(f.name).to_owned()),
            _ => None,
        });
        kernels.collect()
    }

    /// Bytes and address of a module variable, by name.
    pub fn variable(&self, name: &str) -> Option<(u64, u64)> {
        let found = self.variables.iter().find(|(n, _)| self.module.name(**n) == name);
        found.filter(|(_, p)| p.space != StateSpace::Shared).map(|(_, p)| (p.address, p.len))
    }

    /// Lowers a kernel and every function that it can reach.
    ///
    /// # Errors
    /// Everything that is wrong or not supported in them.
    pub fn lower(&self, entry: &str) -> Result<Program, Vec<LowerError>> {
        let kernel = self.functions.iter().find(|(name, i)| {
            let f = self.function(**i);
            f.is_entry && f.body.is_some() && self.module.name(**name) == entry
        });
        if let Some((_, &index)) = kernel {
            finish::lower_kernel(self, index)
        } else {
            let known = self.entries().join("`, `");
            Err(vec![invalid(Span::default(), format!("no kernel `{entry}`; this module has `{known}`"))])
        }
    }
}

fn initializer_len(init: &Initializer, v: &Variable) -> u64 {
    let unit = u64::from(v.ty.bytes().max(1)) * u64::from(v.vector.max(1));
    let inner = v.dims.get(1..).unwrap_or(&[]).iter().fold(unit, |n, d| n.saturating_mul(d.unwrap_or(1)));
    match init {
        Initializer::Value(_) | Initializer::Attribute(..) => unit,
        Initializer::List(list) => inner.saturating_mul(list.len() as u64),
    }
}
