//! Tree to text: parsing what is printed gives the same tree, apart from spans.

use crate::tree::*;
use std::fmt::{self, Display, Formatter, Write};
use warpvm_isa::StateSpace;

/// Prints a module as PTX text.
///
/// # Examples
/// ```
/// let text = ".version 8.6\n.target sm_90\n.address_size 64\n\n.entry k()\n{\n    ret;\n}\n";
/// let module = warpvm_ptx::parse(text).unwrap();
/// assert_eq!(warpvm_ptx::print(&module), text);
/// ```
pub fn print(module: &Module) -> String {
    let mut printer = Printer { module, out: String::new() };
    printer.header();
    for item in &module.items {
        printer.item(item);
    }
    printer.out
}

impl Module {
    /// The text of an instruction, as the printer writes it.
    pub fn instruction_text(&self, instruction: &Instruction) -> String {
        let mut printer = Printer { module: self, out: String::new() };
        printer.instruction(instruction);
        printer.out
    }

    /// The text of an operand, as the printer writes it.
    pub fn operand_text(&self, operand: &Operand) -> String {
        OperandText(self, operand).to_string()
    }
}

struct Printer<'a> {
    module: &'a Module,
    out: String,
}

/// Appends formatted text; writing to a `String` cannot fail.
macro_rules! put {
    ($printer:expr, $($part:tt)*) => {
        $printer.out.write_fmt(format_args!($($part)*)).unwrap_or_default()
    };
}

/// What follows a parameter list or an element.
fn separated<T>(
    f: &mut Formatter<'_>,
    items: &[T],
    mut one: impl FnMut(&mut Formatter<'_>, &T) -> fmt::Result,
) -> fmt::Result {
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            f.write_str(", ")?;
        }
        one(f, item)?;
    }
    Ok(())
}

fn space_word(space: StateSpace) -> &'static str {
    match space {
        StateSpace::Reg => ".reg",
        StateSpace::Sreg => ".sreg",
        StateSpace::Const => ".const",
        StateSpace::Global => ".global",
        StateSpace::Local => ".local",
        StateSpace::Param => ".param",
        StateSpace::Shared => ".shared",
        StateSpace::Tex => ".tex",
        // No declaration names the generic space.
        StateSpace::Generic => ".generic",
    }
}

fn linkage_word(linkage: Linkage) -> &'static str {
    match linkage {
        Linkage::Internal => "",
        Linkage::Extern => ".extern ",
        Linkage::Visible => ".visible ",
        Linkage::Weak => ".weak ",
        Linkage::Common => ".common ",
    }
}

struct Attributes<'a>(&'a [String]);

impl Display for Attributes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.0 {
            [] => Ok(()),
            list => write!(f, " .attribute({})", list.join(", ")),
        }
    }
}

/// A declaration without its semicolon.
struct VariableText<'a>(&'a Module, &'a Variable);

impl Display for VariableText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let VariableText(module, variable) = *self;
        write!(f, "{}{}", linkage_word(variable.linkage), space_word(variable.space))?;
        write!(f, "{}", Attributes(&variable.attributes))?;
        if let Some(align) = variable.align {
            write!(f, " .align {align}")?;
        }
        if variable.vector > 1 {
            write!(f, " .v{}", variable.vector)?;
        }
        write!(f, " .{}", variable.ty)?;
        if let Some(ptr) = &variable.ptr {
            f.write_str(" .ptr")?;
            if let Some(space) = ptr.space {
                write!(f, " {}", space_word(space))?;
            }
            if let Some(align) = ptr.align {
                write!(f, " .align {align}")?;
            }
        }
        write!(f, " {}", module.name(variable.name))?;
        if let Some(count) = variable.count {
            write!(f, "<{count}>")?;
        }
        for dim in &variable.dims {
            match dim {
                Some(size) => write!(f, "[{size}]")?,
                None => f.write_str("[]")?,
            }
        }
        match &variable.init {
            Some(init) => write!(f, " = {}", InitializerText(module, init)),
            None => Ok(()),
        }
    }
}

struct InitializerText<'a>(&'a Module, &'a Initializer);

impl Display for InitializerText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self.1 {
            Initializer::Value(value) => constant(f, self.0, *value),
            Initializer::List(list) => {
                f.write_str("{")?;
                separated(f, list, |f, item| InitializerText(self.0, item).fmt(f))?;
                f.write_str("}")
            }
            Initializer::Attribute(key, value) => {
                write!(f, "{} = ", self.0.name(*key))?;
                constant(f, self.0, *value)
            }
        }
    }
}

fn constant(f: &mut Formatter<'_>, module: &Module, constant: Constant) -> fmt::Result {
    let (name, offset, generic, mask) = match constant {
        Constant::Int(value) => return write!(f, "{value}"),
        Constant::F32(bits) => return write!(f, "0f{bits:08X}"),
        Constant::F64(bits) => return write!(f, "0d{bits:016X}"),
        Constant::Symbol { name, offset, generic, mask } => (module.name(name), offset, generic, mask),
    };
    if let Some(mask) = mask {
        write!(f, "{mask:#X}(")?;
    }
    if generic {
        write!(f, "generic({name})")?;
    } else {
        f.write_str(name)?;
    }
    if offset != 0 {
        write!(f, "+{offset}")?;
    }
    f.write_str(if mask.is_some() { ")" } else { "" })
}

struct OperandText<'a>(&'a Module, &'a Operand);

impl Display for OperandText<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let module = self.0;
        let list = |f: &mut Formatter<'_>, operands: &[Operand]| {
            separated(f, operands, |f, operand| OperandText(module, operand).fmt(f))
        };
        match self.1 {
            Operand::Name(name) | Operand::SpecialVector(name) => f.write_str(module.name(*name)),
            Operand::Selected(name, selector) => write!(f, "{}.{}", module.name(*name), module.name(*selector)),
            Operand::Special(register) => f.write_str(register.text()),
            Operand::Int(value) => write!(f, "{value}"),
            Operand::F32(bits) => write!(f, "0f{bits:08X}"),
            Operand::F64(bits) => write!(f, "0d{bits:016X}"),
            Operand::Offset(name, offset) => write!(f, "{}+{offset}", module.name(*name)),
            Operand::Element(name, index) => {
                write!(f, "{}[{}]", module.name(*name), OperandText(module, index))
            }
            Operand::Address(address) => {
                f.write_str("[")?;
                address_text(f, module, address)?;
                f.write_str("]")
            }
            Operand::Indexed(base, rest) => {
                f.write_str("[")?;
                match &**base {
                    Operand::Address(address) => address_text(f, module, address)?,
                    other => OperandText(module, other).fmt(f)?,
                }
                f.write_str(", ")?;
                list(f, rest)?;
                f.write_str("]")
            }
            Operand::Vector(elements) => {
                f.write_str("{")?;
                list(f, elements)?;
                f.write_str("}")
            }
            Operand::List(operands) => {
                f.write_str("(")?;
                list(f, operands)?;
                f.write_str(")")
            }
            Operand::Pair(first, second) => {
                write!(f, "{}|{}", OperandText(module, first), OperandText(module, second))
            }
            Operand::Not(inner) => write!(f, "!{}", OperandText(module, inner)),
            Operand::Negated(inner) => write!(f, "-{}", OperandText(module, inner)),
            Operand::Sink => f.write_str("_"),
        }
    }
}

fn address_text(f: &mut Formatter<'_>, module: &Module, address: &Address) -> fmt::Result {
    match address.base {
        AddressBase::Absolute => write!(f, "{}", address.offset),
        AddressBase::Name(name) if address.offset == 0 => f.write_str(module.name(name)),
        AddressBase::Name(name) => write!(f, "{}+{}", module.name(name), address.offset),
    }
}

impl Printer<'_> {
    fn header(&mut self) {
        let module = self.module;
        put!(self, ".version {}.{}\n.target ", module.version.0, module.version.1);
        self.names(&module.target);
        put!(self, "\n.address_size {}\n\n", module.address_size);
    }

    fn names(&mut self, names: &[Name]) {
        for (index, &name) in names.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            put!(self, "{comma}{}", self.module.name(name));
        }
    }

    fn item(&mut self, item: &Item) {
        let module = self.module;
        match item {
            Item::Variable(variable) => put!(self, "{};\n", VariableText(module, variable)),
            Item::Function(function) => self.function(function),
            Item::Alias { alias, aliasee, .. } => {
                put!(self, ".alias {}, {};\n", module.name(*alias), module.name(*aliasee));
            }
            Item::File { index, path, extra, .. } => {
                put!(self, ".file {index} \"{path}\"");
                if let Some((time, size)) = extra {
                    put!(self, ", {time}, {size}");
                }
                put!(self, "\n");
            }
            Item::Section(section) => self.section(section),
            Item::Pragma(texts, _) => {
                self.pragma(texts);
                put!(self, "\n");
            }
        }
    }

    fn pragma(&mut self, texts: &[String]) {
        put!(self, ".pragma \"{}\";", texts.join("\", \""));
    }

    fn section(&mut self, section: &Section) {
        put!(self, ".section {}\n{{\n", self.module.name(section.name));
        for item in &section.items {
            match item {
                SectionItem::Label(name) => put!(self, "{}:\n", self.module.name(*name)),
                SectionItem::Data { bits, values } => {
                    put!(self, ".b{bits} ");
                    for (index, value) in values.iter().enumerate() {
                        self.section_value(*value, if index > 0 { "," } else { "" });
                    }
                    put!(self, "\n");
                }
            }
        }
        put!(self, "}}\n");
    }

    fn section_value(&mut self, value: SectionValue, comma: &str) {
        let module = self.module;
        match value {
            SectionValue::Int(value) => put!(self, "{comma}{value}"),
            SectionValue::Symbol(name, 0) => put!(self, "{comma}{}", module.name(name)),
            SectionValue::Symbol(name, offset) => put!(self, "{comma}{}+{offset}", module.name(name)),
            SectionValue::Difference(a, b) => put!(self, "{comma}{}-{}", module.name(a), module.name(b)),
        }
    }

    fn parameters(&mut self, parameters: &[Variable]) {
        put!(self, "(");
        for (index, parameter) in parameters.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            put!(self, "{comma}{}", VariableText(self.module, parameter));
        }
        put!(self, ")");
    }

    fn function(&mut self, function: &Function) {
        let word = if function.is_entry { ".entry" } else { ".func" };
        put!(self, "{}{word}{} ", linkage_word(function.linkage), Attributes(&function.attributes));
        if !function.returns.is_empty() {
            self.parameters(&function.returns);
            put!(self, " ");
        }
        put!(self, "{}", self.module.name(function.name));
        self.parameters(&function.params);
        for directive in &function.directives {
            self.function_directive(directive);
        }
        match &function.body {
            None => put!(self, ";\n"),
            Some(body) => {
                put!(self, "\n");
                self.block(body, 0);
            }
        }
    }

    fn function_directive(&mut self, directive: &FunctionDirective) {
        put!(self, "\n");
        match directive {
            FunctionDirective::Numbers { name, values } => {
                let values: Vec<String> = values.iter().map(u32::to_string).collect();
                put!(self, ".{name} {}", values.join(", "));
            }
            FunctionDirective::Flag(name) => put!(self, ".{name}"),
            FunctionDirective::Pragma(texts) => self.pragma(texts),
        }
    }

    fn block(&mut self, statements: &[Statement], indent: usize) {
        put!(self, "{:indent$}{{\n", "");
        for statement in statements {
            self.statement(statement, indent + 4);
        }
        put!(self, "{:indent$}}}\n", "");
    }

    fn statement(&mut self, statement: &Statement, indent: usize) {
        let module = self.module;
        match statement {
            Statement::Block(statements) => return self.block(statements, indent),
            Statement::Label(name, _) => {
                put!(self, "{}:\n", module.name(*name));
                return;
            }
            _ => put!(self, "{:indent$}", ""),
        }
        match statement {
            Statement::Variable(variable) => put!(self, "{};", VariableText(module, variable)),
            Statement::Instruction(instruction) => self.instruction(instruction),
            Statement::Loc(loc) => self.loc(loc),
            Statement::Pragma(texts, _) => self.pragma(texts),
            Statement::BranchTargets { label, targets, .. } => self.targets(*label, ".branchtargets", targets),
            Statement::CallTargets { label, targets, .. } => self.targets(*label, ".calltargets", targets),
            Statement::CallPrototype { label, returns, params, flags, .. } => {
                put!(self, "{}: .callprototype ", module.name(*label));
                if !returns.is_empty() {
                    self.parameters(returns);
                    put!(self, " ");
                }
                put!(self, "_ ");
                self.parameters(params);
                for flag in flags {
                    put!(self, " .{flag}");
                }
                put!(self, ";");
            }
            Statement::Block(_) | Statement::Label(..) => {}
        }
        put!(self, "\n");
    }

    fn targets(&mut self, label: Name, word: &str, targets: &[Name]) {
        put!(self, "{}: {word} ", self.module.name(label));
        self.names(targets);
        put!(self, ";");
    }

    fn loc(&mut self, loc: &Loc) {
        put!(self, ".loc {} {} {}", loc.file, loc.line, loc.column);
        if let Some((label, offset)) = loc.function {
            put!(self, ", function_name {}", self.module.name(label));
            if offset != 0 {
                put!(self, "+{offset}");
            }
        }
        if let Some((file, line, column)) = loc.inlined_at {
            put!(self, ", inlined_at {file} {line} {column}");
        }
    }

    fn instruction(&mut self, instruction: &Instruction) {
        let module = self.module;
        if let Some(guard) = instruction.guard {
            let not = if guard.negated { "!" } else { "" };
            put!(self, "@{not}{} ", module.name(guard.predicate));
        }
        put!(self, "{}", instruction.opcode);
        for modifier in instruction.modifiers.iter() {
            put!(self, ".{modifier}");
        }
        for (index, operand) in instruction.operands.iter().enumerate() {
            let comma = if index > 0 { ", " } else { " " };
            put!(self, "{comma}{}", OperandText(module, operand));
        }
        put!(self, ";");
    }
}
