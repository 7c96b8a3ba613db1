//! The tree that the parser makes of a PTX module and that the printer turns back into text.
//!
//! Names are interned: a [`Name`] is an index into [`Module::names`], so comparing two names is comparing two
//! numbers. Every statement keeps the span of its text. Nothing is resolved here: a name is a name, whether it
//! turns out to be a register, a variable or a label.

use std::sync::Arc;

use warpvm_isa::{Modifier, Opcode, ScalarType, SpecialRegister, StateSpace};

/// An interned identifier; look its text up with [`Module::name`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub struct Name(pub u32);

/// A range of bytes in the source text.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

/// A whole PTX module.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Module {
    /// `.version` as (major, minor).
    pub version: (u16, u16),
    /// `.target` words in order, e.g. `sm_90a`, `texmode_unified`, `debug`.
    pub target: Vec<Name>,
    /// `.address_size`, 32 or 64; 64 where the directive is missing in a 64-bit module.
    pub address_size: u32,
    /// Everything else, in order.
    pub items: Vec<Item>,
    /// The text of every [`Name`].
    pub names: Vec<String>,
}

impl Module {
    /// The text of an interned name.
    pub fn name(&self, name: Name) -> &str {
        &self.names[name.0 as usize]
    }
}

/// A directive or definition at module scope.
#[derive(Clone, PartialEq, Debug)]
pub enum Item {
    /// `.global`, `.const`, `.shared`, ... variable.
    Variable(Variable),
    /// `.entry` or `.func`, with or without a body.
    Function(Function),
    /// `.alias alias, aliasee;`
    Alias {
        /** The new name. */
        alias: Name,
        /** The function it stands for. */
        aliasee: Name,
        /** Its text. */
        span: Span,
    },
    /// `.file index "path"[, time, size]`
    File {
        /** The number `.loc` uses. */
        index: u32,
        /** Its path. */
        path: String,
        /** Timestamp and size, where given. */
        extra: Option<(u64, u64)>,
        /** Its text. */
        span: Span,
    },
    /// `.section name { ... }`: DWARF data.
    Section(Section),
    /// `.pragma "text";` at module scope.
    Pragma(Vec<String>, Span),
}

/// `.section .debug_xxx { ... }`
#[derive(Clone, PartialEq, Debug)]
pub struct Section {
    /// Its name with the leading dot.
    pub name: Name,
    /// Its lines.
    pub items: Vec<SectionItem>,
    /// Its text.
    pub span: Span,
}

/// A line of a DWARF section.
#[derive(Clone, PartialEq, Debug)]
pub enum SectionItem {
    /// `label:`
    Label(Name),
    /// `.b8 1, 2, ...`: width in bits and values.
    Data {
        /** 8, 16, 32 or 64. */
        bits: u32,
        /** What follows. */
        values: Vec<SectionValue>,
    },
}

/// A value in a DWARF section.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum SectionValue {
    /// A number.
    Int(i64),
    /// A label or section name, plus an offset.
    Symbol(Name, i64),
    /// Difference of two labels.
    Difference(Name, Name),
}

/// Who can see a definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Linkage {
    /// This module only.
    #[default]
    Internal,
    /// `.extern`
    Extern,
    /// `.visible`
    Visible,
    /// `.weak`
    Weak,
    /// `.common`
    Common,
}

/// A variable declaration: `.global .align 4 .v2 .f32 name[2][3] = {...};`
#[derive(Clone, PartialEq, Debug)]
pub struct Variable {
    /// Linkage.
    pub linkage: Linkage,
    /// State space.
    pub space: StateSpace,
    /// `.align` in bytes, where given.
    pub align: Option<u32>,
    /// Vector length: 1, 2, 4 or 8.
    pub vector: u32,
    /// Element type.
    pub ty: ScalarType,
    /// Its name; for `name<20>` see `count`.
    pub name: Name,
    /// `name<N>`: declares `name0` to `nameN-1`.
    pub count: Option<u32>,
    /// Array dimensions; `None` for `[]`. Empty for a scalar.
    pub dims: Vec<Option<u64>>,
    /// Initialiser, where given.
    pub init: Option<Initializer>,
    /// `.ptr` attribute of a kernel parameter.
    pub ptr: Option<PtrAttribute>,
    /// `.attribute(.managed)`, `.attribute(.unified(a, b))`: kept as text.
    pub attributes: Vec<String>,
    /// Its text.
    pub span: Span,
}

/// `.ptr .global .align 16` on a kernel parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PtrAttribute {
    /// Space of what it points to; generic where not given.
    pub space: Option<StateSpace>,
    /// Alignment of what it points to, where given.
    pub align: Option<u32>,
}

/// An initialiser of a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum Initializer {
    /// One value.
    Value(Constant),
    /// `{ ... }`
    List(Vec<Initializer>),
    /// `addr_mode_0 = wrap` in the list of a texture, sampler or surface.
    Attribute(Name, Constant),
}

/// A constant in an initialiser.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Constant {
    /// An integer (two's complement; a constant expression is folded by the parser).
    Int(i64),
    /// A `.f32` bit pattern: `0f3F800000`.
    F32(u32),
    /// A `.f64` bit pattern: `0d...` or a decimal literal.
    F64(u64),
    /// Address of a variable or function plus an offset; `generic` for `generic(name)`; `mask` for `0xFF(name)`.
    Symbol {
        /** Whose address. */
        name: Name,
        /** Bytes added. */
        offset: i64,
        /** Wrapped in `generic()`. */
        generic: bool,
        /** `0xFF00(name)`: the byte that is taken. */
        mask: Option<u64>,
    },
}

/// `.entry` or `.func`.
#[derive(Clone, PartialEq, Debug)]
pub struct Function {
    /// `.entry` (a kernel) or `.func`.
    pub is_entry: bool,
    /// Linkage.
    pub linkage: Linkage,
    /// Attributes kept as text, e.g. `.attribute(.unified(..))`.
    pub attributes: Vec<String>,
    /// Return parameters of a `.func`.
    pub returns: Vec<Variable>,
    /// Its name.
    pub name: Name,
    /// Parameters in order.
    pub params: Vec<Variable>,
    /// `.maxntid`, `.reqntid`, `.noreturn`, `.pragma`, ...
    pub directives: Vec<FunctionDirective>,
    /// Statements; `None` for a declaration.
    pub body: Option<Vec<Statement>>,
    /// From the first word to the end of the parameters.
    pub span: Span,
}

/// A directive between the parameters and the body.
#[derive(Clone, PartialEq, Debug)]
pub enum FunctionDirective {
    /// `.maxntid`, `.reqntid`, `.minnctapersm`, `.maxnctapersm`, `.maxnreg`, `.reqnctapercluster`,
    /// `.maxclusterrank`, `.abi_preserve`, `.abi_preserve_control`: word and numbers.
    Numbers {
        /** Without the dot. */
        name: String,
        /** One to three. */
        values: Vec<u32>,
    },
    /// `.noreturn`, `.explicitcluster`, `.blocksareclusters`: without the dot.
    Flag(String),
    /// `.pragma "text"`
    Pragma(Vec<String>),
}

/// A statement of a function body.
#[derive(Clone, PartialEq, Debug)]
pub enum Statement {
    /// `.reg`, `.local`, `.shared`, `.param`, ... declaration; several names share one directive in the text but
    /// are one statement each here.
    Variable(Variable),
    /// `label:`
    Label(Name, Span),
    /// An instruction.
    Instruction(Instruction),
    /// `{ ... }`: a scope.
    Block(Vec<Statement>),
    /// `.loc`
    Loc(Loc),
    /// `.pragma "text";`
    Pragma(Vec<String>, Span),
    /// `label: .branchtargets a, b;`
    BranchTargets {
        /** Name of the list. */
        label: Name,
        /** Its labels. */
        targets: Vec<Name>,
        /** Its text. */
        span: Span,
    },
    /// `label: .calltargets f, g;`
    CallTargets {
        /** Name of the list. */
        label: Name,
        /** Its functions. */
        targets: Vec<Name>,
        /** Its text. */
        span: Span,
    },
    /// `label: .callprototype (ret) _ (params);`
    CallPrototype {
        /** Name of the prototype. */
        label: Name,
        /** What it returns. */
        returns: Vec<Variable>,
        /** What it takes. */
        params: Vec<Variable>,
        /** `.noreturn` and the like. */
        flags: Vec<String>,
        /** Its text. */
        span: Span,
    },
}

/// `.loc file line column[, function_name label+offset, inlined_at file line column]`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loc {
    /// Index of a [`Item::File`].
    pub file: u32,
    /// Line, from 1; 0 means none.
    pub line: u32,
    /// Column.
    pub column: u32,
    /// `function_name` label and offset, where the code is inlined.
    pub function: Option<(Name, i64)>,
    /// `inlined_at` file, line, column.
    pub inlined_at: Option<(u32, u32, u32)>,
    /// Its text.
    pub span: Span,
}

/// One instruction with its guard.
#[derive(Clone, PartialEq, Debug)]
pub struct Instruction {
    /// `@p` or `@!p`.
    pub guard: Option<Guard>,
    /// First word.
    pub opcode: Opcode,
    /// Words after dots, in order. Instructions that are spelled alike share them.
    pub modifiers: Arc<[Modifier]>,
    /// Operands in order. For `call` see [`Operand::List`].
    pub operands: Vec<Operand>,
    /// From the guard or opcode to the semicolon.
    pub span: Span,
}

/// `@p` or `@!p`
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Guard {
    /// The predicate register.
    pub predicate: Name,
    /// `@!p`
    pub negated: bool,
}

/// An operand of an instruction.
#[derive(Clone, PartialEq, Debug)]
pub enum Operand {
    /// A register, variable, label or function.
    Name(Name),
    /// A register with a component or selector: `v.x`, `r.b0`, `r.h10`, `r.b7531`.
    Selected(Name, Name),
    /// `%tid.x`, `%laneid`, ...
    Special(SpecialRegister),
    /// An integer literal, sign-extended or wrapped to 64 bits. `WARP_SZ` and constant expressions are folded.
    Int(i64),
    /// `0f...`
    F32(u32),
    /// `0d...` or a decimal floating literal.
    F64(u64),
    /// `var+4` outside brackets (an address as a value).
    Offset(Name, i64),
    /// `array[3]` or `array[r]`: an element of an array, by its address. The index counts elements.
    Element(Name, Box<Operand>),
    /// A special register without its component (`%tid`): a vector of four.
    SpecialVector(Name),
    /// `[base+offset]`
    Address(Address),
    /// `[map, {c0, c1}]` and the like: tensor and texture coordinates.
    Indexed(Box<Operand>, Vec<Operand>),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `(a, b)`: the returns or arguments of `call`.
    List(Vec<Operand>),
    /// `d|p`
    Pair(Box<Operand>, Box<Operand>),
    /// `!p`
    Not(Box<Operand>),
    /// `-a` (a register, in `vmad`)
    Negated(Box<Operand>),
    /// `_`
    Sink,
}

/// The inside of `[ ]`.
#[derive(Clone, PartialEq, Debug)]
pub struct Address {
    /// What is between the brackets before the offset.
    pub base: AddressBase,
    /// Bytes added.
    pub offset: i64,
}

/// The base of an address.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressBase {
    /// A register or variable.
    Name(Name),
    /// Nothing but the offset.
    Absolute,
}
