//! Lowering of one function: declarations, statements, and the list of instructions that comes out.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use warpvm_isa::{Modifier, Opcode, ScalarType, StateSpace};
use warpvm_ptx::tree::{Function, Instruction, Loc, Module, Name, Span, Statement, Variable};

use super::scope::{Def, Label, Reg, RegisterRange, Scopes};
use super::{Image, LowerError, SharedLayout, invalid, size_of, unsupported};
use crate::program::{Guard, Inst, Kind, Meta, Place, Preset, PresetValue, Symbol};
use crate::row::RowOp;
use crate::slots::{Class, Slot};

/// Most registers of one function; a declaration beyond it is refused.
const MAX_REGISTERS: u64 = 1 << 20;
/// The carry flag's name.
pub const CARRY: &str = "CC.CF";
/// Most bytes of a thread's frame.
const MAX_FRAME: u64 = 1 << 24;

/// Bytes left free behind each variable of local memory, so that an index past its end leads to nothing.
const FRAME_GAP: u64 = 64;

/// What all functions of a program share while it is lowered.
pub struct Shared<'a> {
    pub image: &'a Image,
    /// Class of each virtual slot.
    pub classes: Vec<Class>,
    pub presets: HashMap<(Class, PresetValue), Slot>,
    pub preset_list: Vec<Preset>,
    /// Index in the program of each function of the module that is reached.
    pub reached: HashMap<usize, u32>,
    /// Those still to lower.
    pub queue: Vec<usize>,
    /// Formals and results of each reached function, by program index.
    pub signatures: Vec<Signature>,
    /// Next free byte of a thread's static frame.
    pub frame: u64,
    pub local_vars: Vec<crate::program::Variable>,
    pub shared: SharedLayout,
    /// Offset of dynamic shared memory is not known until all functions are lowered: presets that hold it.
    pub dynamic_shared: Vec<(Slot, i64)>,
    pub has_indirect_call: bool,
    pub errors: Vec<LowerError>,
}

/// Where a function's arguments and results live.
#[derive(Clone, Default)]
pub struct Signature {
    pub formals: Vec<Place>,
    pub results: Vec<Place>,
    pub defs: Vec<(Name, Def)>,
}

impl Shared<'_> {
    /// A new virtual slot. One of 128 bits is two of 64 side by side.
    pub fn slot(&mut self, class: Class) -> Slot {
        let slot = Slot(self.classes.len() as u32);
        match class {
            Class::R128 => self.classes.extend([Class::R64, Class::R64]),
            class => self.classes.push(class),
        }
        slot
    }

    /// The slot of a preset row.
    pub fn preset(&mut self, class: Class, value: PresetValue) -> Slot {
        if let Some(&slot) = self.presets.get(&(class, value)) {
            return slot;
        }
        let slot = self.slot(class);
        self.presets.insert((class, value), slot);
        self.preset_list.push(Preset { class, slot, value });
        slot
    }

    /// The slot of a constant.
    pub fn constant(&mut self, class: Class, value: u64) -> Slot {
        let value = match class {
            Class::Pred => value & 1,
            Class::R32 => value & 0xffff_ffff,
            Class::R64 | Class::R128 => value,
        };
        self.preset(class, PresetValue::Constant(value))
    }

    /// Takes bytes of the static frame.
    pub fn frame_variable(&mut self, name: String, len: u64, align: u32, span: Span) -> Result<u32, LowerError> {
        let offset = self.frame.next_multiple_of(u64::from(align.clamp(1, 1 << 16)));
        if offset + len > MAX_FRAME {
            return Err(invalid(span, format!("`{name}` of {len} bytes is too large for local memory")));
        }
        self.frame = offset + len;
        self.local_vars.push(crate::program::Variable { name, offset: offset as u32, len: len as u32 });
        Ok(offset as u32)
    }

    /// Makes a function part of the program and places its parameters; gives its index.
    pub fn reach(&mut self, item: usize) -> Result<u32, LowerError> {
        if let Some(&index) = self.reached.get(&item) {
            return Ok(index);
        }
        let index = self.signatures.len() as u32;
        let f = self.image.function(item);
        let mut signature = Signature::default();
        for (list, results) in [(&f.params, false), (&f.returns, true)] {
            for v in list {
                let (def, place) = self.formal(v)?;
                signature.defs.push((v.name, def));
                if results { signature.results.push(place) } else { signature.formals.push(place) }
            }
        }
        self.signatures.push(signature);
        self.reached.insert(item, index);
        self.queue.push(item);
        Ok(index)
    }

    /// A function whose address is taken: it may be called through a pointer.
    pub fn reach_code(&mut self, item: usize) -> Result<(), LowerError> {
        if self.image.function(item).body.is_some() {
            self.reach(item)?;
        }
        Ok(())
    }

    fn formal(&mut self, v: &Variable) -> Result<(Def, Place), LowerError> {
        if v.space == StateSpace::Reg {
            let slot = self.slot(Class::of_bits(v.ty.bits()));
            return Ok((Def::Reg(Reg { ty: v.ty, slot }), Place::Register(Class::of_bits(v.ty.bits()), slot)));
        }
        let (len, align) = size_of(v);
        let len = len.unwrap_or(0);
        let name = self.image.module.name(v.name).to_owned();
        let offset = self.frame_variable(name, len, align, v.span)?;
        Ok((Def::Frame { offset, len: len as u32 }, Place::Memory(offset, len as u32)))
    }
}

/// An instruction on its way, its branch targets still labels.
pub struct Emitted {
    pub inst: Inst,
    pub meta: Meta,
}

/// Lowers one function.
pub struct Body<'s, 'a> {
    pub shared: &'s mut Shared<'a>,
    pub module: &'a Module,
    pub function: u32,
    pub is_kernel: bool,
    pub scopes: Scopes,
    pub code: Vec<Emitted>,
    /// Index in `code` of each label.
    pub labels: Vec<Option<usize>>,
    pub loc: Option<Loc>,
    /// The condition-code register's carry flag.
    pub carry: Option<Slot>,
    pub registers: Vec<(String, Reg)>,
    /// Blocks that declare registers: a range of `code`, a range of `registers`.
    pub blocks: Vec<(Range<usize>, Range<usize>)>,
    /// The common return of a function.
    pub return_label: Option<Label>,
    /// Memo of name lookups in the present scope.
    pub current: CurrentInstruction,
}

/// What the instruction being lowered says of itself.
#[derive(Clone, Debug)]
pub struct CurrentInstruction {
    pub opcode: Opcode,
    pub modifiers: Arc<[Modifier]>,
    pub span: Span,
    pub guard: Option<Guard>,
    pub symbol: Symbol,
}

impl<'s, 'a> Body<'s, 'a> {
    pub fn new(shared: &'s mut Shared<'a>, function: u32, is_kernel: bool) -> Self {
        let module: &'a Module = &shared.image.module;
        let current = CurrentInstruction {
            opcode: Opcode::Ret,
            modifiers: Arc::new([]),
            span: Span::default(),
            guard: None,
            symbol: Symbol::None,
        };
        Body {
            shared,
            module,
            function,
            is_kernel,
            scopes: Scopes::default(),
            code: Vec::new(),
            labels: Vec::new(),
            loc: None,
            carry: None,
            registers: Vec::new(),
            blocks: Vec::new(),
            return_label: None,
            current,
        }
    }

    /// Lowers the whole body.
    pub fn run(&mut self, f: &'a Function, params: Vec<(Name, Def)>) {
        self.scopes.open();
        for (name, def) in params {
            if let Def::Reg(reg) = &def {
                self.registers.push((self.module.name(name).to_owned(), *reg));
            }
            self.scopes.declare(name, def);
        }
        if let Some(body) = &f.body {
            self.block(body);
        }
        self.current.opcode = if self.is_kernel { Opcode::Exit } else { Opcode::Ret };
        self.current.modifiers = Arc::new([]);
        self.current.guard = None;
        self.current.symbol = Symbol::None;
        self.current.span = Span { start: f.span.end, end: f.span.end };
        if let Some(label) = self.return_label {
            self.bind(label);
        }
        self.emit_synthetic(if self.is_kernel { Kind::Exit } else { Kind::Return });
    }

    fn block(&mut self, statements: &'a [Statement]) {
        self.scopes.open();
        for s in statements {
            if let Statement::Label(name, _) = s {
                let label = self.label();
                self.scopes.declare(*name, Def::Label(label));
            }
        }
        for s in statements {
            if let Err(e) = self.statement(s) {
                self.shared.errors.push(e);
                if self.shared.errors.len() > 200 {
                    break;
                }
            }
        }
        self.scopes.close(self.module);
    }

    /// A block in braces: control enters it at its first instruction, which nothing inside may then come back to.
    fn inner_block(&mut self, statements: &'a [Statement]) {
        let (start, declared) = (self.code.len(), self.registers.len());
        let is_mere = |s: &&Statement| matches!(s, Statement::Variable(_) | Statement::Loc(_) | Statement::Pragma(..));
        let declares = |s: &Statement| matches!(s, Statement::Variable(v) if v.space == StateSpace::Reg);
        if statements.iter().any(declares)
            && matches!(statements.iter().find(|s| !is_mere(s)), Some(Statement::Label(..)))
        {
            self.emit_synthetic(Kind::Nothing);
        }
        self.block(statements);
        if declared < self.registers.len() && start < self.code.len() {
            self.blocks.push((start..self.code.len(), declared..self.registers.len()));
        }
    }

    fn statement(&mut self, s: &'a Statement) -> Result<(), LowerError> {
        match s {
            Statement::Variable(v) => self.variable(v)?,
            Statement::Label(name, _) => {
                if let Some(Def::Label(label)) = self.scopes.find(self.module, *name) {
                    self.bind(label);
                }
            }
            Statement::Instruction(i) => self.instruction(i)?,
            Statement::Block(list) => self.inner_block(list),
            Statement::Loc(loc) => self.loc = Some(*loc),
            Statement::Pragma(..) => {}
            Statement::BranchTargets { label, targets, .. } => {
                self.scopes.declare(*label, Def::Targets(targets.clone()));
            }
            Statement::CallTargets { label, targets, span } => {
                for t in targets {
                    let item = self.shared.image.function_index(*t).ok_or_else(|| self.unknown(*t, *span))?;
                    self.shared.reach(item)?;
                }
                self.scopes.declare(*label, Def::Prototype);
            }
            Statement::CallPrototype { label, .. } => self.scopes.declare(*label, Def::Prototype),
        }
        Ok(())
    }

    fn variable(&mut self, v: &'a Variable) -> Result<(), LowerError> {
        let name = self.module.name(v.name).to_owned();
        let def = match v.space {
            StateSpace::Reg => match self.register(v, &name)? {
                Some(def) => def,
                None => return Ok(()),
            },
            StateSpace::Local | StateSpace::Param => {
                let (len, align) = size_of(v);
                let len = len.ok_or_else(|| invalid(v.span, format!("`{name}` has no size")))?;
                let offset = self.shared.frame_variable(name, len, align, v.span)?;
                if v.space == StateSpace::Local {
                    self.shared.frame += FRAME_GAP;
                }
                Def::Frame { offset, len: len as u32 }
            }
            StateSpace::Shared => {
                let (len, align) = size_of(v);
                match len {
                    Some(len) if len > 0 && v.linkage != warpvm_ptx::tree::Linkage::Extern => {
                        if len > 1 << 24 {
                            return Err(invalid(v.span, format!("`{name}` is too large for shared memory")));
                        }
                        Def::Shared { offset: self.shared.shared.place(name, len as u32, align) }
                    }
                    _ => {
                        self.shared.shared.dynamic_align = self.shared.shared.dynamic_align.max(align);
                        Def::SharedDynamic
                    }
                }
            }
            space => return Err(unsupported(v.span, format!("a `{space:?}` variable in a function is not supported"))),
        };
        self.scopes.declare(v.name, def);
        Ok(())
    }

    /// Declares a range of registers, or gives what a single name means.
    fn register(&mut self, v: &Variable, name: &str) -> Result<Option<Def>, LowerError> {
        let class = Class::of_bits(v.ty.bits());
        let count = v.count.unwrap_or(1);
        if self.shared.classes.len() as u64 + u64::from(count) * u64::from(v.vector.max(1)) > MAX_REGISTERS {
            return Err(invalid(v.span, format!("`{name}<{count}>` is more registers than a function may have")));
        }
        if v.vector > 1 {
            let mut parts = Vec::new();
            for i in 0..v.vector {
                let reg = Reg { ty: v.ty, slot: self.shared.slot(class) };
                self.registers.push((format!("{name}.{}", ["x", "y", "z", "w"][i as usize & 3]), reg));
                parts.push(reg);
            }
            return Ok(Some(Def::Vector(parts)));
        }
        let first = self.shared.classes.len() as u32;
        for i in 0..count {
            let slot = self.shared.slot(class);
            let text = if v.count.is_some() { format!("{name}{i}") } else { name.to_owned() };
            self.registers.push((text, Reg { ty: v.ty, slot }));
        }
        Ok(match v.count {
            Some(count) => {
                self.scopes.declare_range(self.module, v.name, RegisterRange { ty: v.ty, first: Slot(first), count });
                None
            }
            None => Some(Def::Reg(Reg { ty: v.ty, slot: Slot(first) })),
        })
    }

    fn instruction(&mut self, i: &'a Instruction) -> Result<(), LowerError> {
        let guard = match &i.guard {
            Some(g) => {
                let slot = self.predicate(g.predicate, i.span)?;
                Some(Guard { slot, negated: g.negated })
            }
            None => None,
        };
        let (modifiers, symbol) = (i.modifiers.clone(), Symbol::None);
        self.current = CurrentInstruction { opcode: i.opcode, modifiers, span: i.span, guard, symbol };
        self.lower(i)
    }

    /// A label that is not bound yet.
    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(self.labels.len() as u32 - 1)
    }

    /// Binds a label to what is emitted next.
    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.code.len());
    }

    /// A fresh slot.
    pub fn temp(&mut self, class: Class) -> Slot {
        self.shared.slot(class)
    }

    /// Emits an instruction under the guard of the present one.
    pub fn emit(&mut self, kind: Kind) {
        self.push(self.current.guard, kind, false);
    }

    /// Emits an instruction without a guard: what it writes is a temporary.
    pub fn emit_always(&mut self, kind: Kind) {
        self.push(None, kind, false);
    }

    /// Emits an instruction that is not in the PTX.
    pub fn emit_synthetic(&mut self, kind: Kind) {
        self.push(None, kind, true);
    }

    /// Emits a branch that is not in the PTX.
    pub fn emit_branch(&mut self, guard: Option<Guard>, label: Label) {
        self.push(guard, Kind::Branch { target: label.0, reconverge: 0 }, true);
    }

    /// Emits a lane-wise operation under the guard of the present instruction.
    pub fn emit_row(&mut self, op: RowOp) {
        self.emit(Kind::Row(op));
    }

    /// Emits something that makes lanes wait: where it has a guard, a branch goes around it.
    pub fn emit_waiting(&mut self, kind: Kind) {
        let Some(guard) = self.current.guard else { return self.emit(kind) };
        let after = self.label();
        self.emit_branch(Some(Guard { negated: !guard.negated, ..guard }), after);
        self.emit_always(kind);
        self.bind(after);
    }

    fn push(&mut self, guard: Option<Guard>, kind: Kind, synthetic: bool) {
        let meta = Meta {
            opcode: self.current.opcode,
            modifiers: self.current.modifiers.clone(),
            span: self.current.span,
            loc: self.loc.filter(|l| l.line != 0),
            function: self.function,
            operands: Vec::new(),
            synthetic,
            symbol: self.current.symbol,
        };
        self.code.push(Emitted { inst: Inst { guard, kind }, meta });
    }

    /// The carry flag of the condition code.
    pub fn carry(&mut self) -> Slot {
        if let Some(slot) = self.carry {
            return slot;
        }
        let slot = self.shared.slot(Class::Pred);
        self.registers.push((CARRY.to_owned(), Reg { ty: ScalarType::Pred, slot }));
        self.carry = Some(slot);
        slot
    }

    pub fn unknown(&self, name: Name, span: Span) -> LowerError {
        invalid(span, format!("`{}` is not declared", self.module.name(name)))
    }
}
