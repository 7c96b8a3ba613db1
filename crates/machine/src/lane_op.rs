//! Names for the lane-wise operations that the compiler and the analyses know.
//!
//! What an operation means is the closure of `sem`; a name says no more than which one it is. Operations without a
//! name are run through their closure.

use warpvm_isa::{Modifier, Opcode, ScalarType, Word};
use warpvm_sem::Form;

mod forms;

/// A lane-wise operation by name. Widths are those of the operands' rows where the name does not say.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum LaneOp {
    Copy,
    Add32,
    Add64,
    Sub32,
    Sub64,
    Mul32,
    Mad32,
    MulWideS,
    MulWideU,
    MulWideU16,
    And,
    Or,
    Xor,
    Not,
    Shl32,
    ShrU32,
    ShrS32,
    Shl64,
    ShrU64,
    MinS32,
    MinU32,
    MaxS32,
    MaxU32,
    Select,
    Compare(Relation, Compared),
    /// 32 bits to 64, sign-extended.
    SignExtend,
    /// 32 bits to 64, zero-extended.
    ZeroExtend,
    /// The low 32 of 64 bits.
    Low,
    AddF32,
    SubF32,
    MulF32,
    FmaF32,
    /// `vabsdiff4.u32.u32.u32.add`
    SumOfByteDistances,

    Neg32,
    Abs32,
    MulHiS32,
    MulHiU32,
    MadHiS32,
    MadHiU32,
    DivS32,
    DivU32,
    RemS32,
    RemU32,
    SadS32,
    SadU32,
    Popc32,
    Clz32,
    Brev32,
    /// `bfind` without `.shiftamt`
    FindS32,
    FindU32,
    BfeS32,
    BfeU32,
    Bfi32,
    Cnot32,
    Lop3,
    /// Without a mode.
    Prmt,
    ShfLeftWrap,
    ShfLeftClamp,
    ShfRightWrap,
    ShfRightClamp,
    /// By a signed number.
    Slct32,
    /// So many low bits, zero-extended.
    LowBits(u8),
    /// So many low bits, sign-extended to 32.
    SignedBits(u8),
    MulWideS16,
    Add16,
    Sub16,
    Mul16,
    And16,
    Or16,
    Xor16,
    Not16,
    Select16,

    Neg64,
    Mul64,
    Mad64,
    MadWideS,
    MadWideU,
    ShrS64,
    MinS64,
    MinU64,
    MaxS64,
    MaxU64,
    Select64,

    /// `setp` that [`LaneOp::Compare`] has not.
    Test(Test),
    /// `set`, with what it writes where the comparison holds.
    Set(Test, u32),
    /// `.f32`; what the names above are for is not called so.
    Float(FloatOp, Mode),
    /// `.f64` to nearest even.
    Double(FloatOp),
    /// `.f32` rounded to a whole number.
    Integral(Round),
    ToFloat(Integer),
    FromFloat(Integer, Round),
    ToDouble(Integer),
    FromDouble(Integer, Round),
    /// `.f32` to `.f64`
    Lengthen,
    /// `.f64` to `.f32`, to nearest even.
    Shorten,
    /// An approximate function of `.f32`; `.ftz` or not.
    Special(Special, bool),
    /// Arithmetic of 16-bit floats to nearest even: `add`, `sub`, `mul` or `fma`.
    Half(FloatOp, Half, HalfMode),
    /// A 16-bit float to `.f32`.
    FromHalf(Half),
    /// `.f32` to a 16-bit float, or two to a pair of them, to nearest even.
    ToHalf(Half),
}

/// A type of 16-bit floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Half {
    /// `.bf16`, not `.f16`?
    pub is_brain: bool,
    /// Two in a register?
    pub is_pair: bool,
}

/// The modifiers of arithmetic of 16-bit floats.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)] // named as in the manual
pub struct HalfMode {
    pub ftz: bool,
    pub sat: bool,
    pub relu: bool,
}

/// An approximate function.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum Special {
    Rcp,
    Rsqrt,
    Sqrt,
    Ex2,
    Div,
    DivFull,
}

/// Arithmetic of floating-point numbers.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum FloatOp {
    Add,
    Sub,
    Mul,
    Fma,
    Div,
    Sqrt,
    Reciprocal,
    Min,
    Max,
    Neg,
    Abs,
}

/// A rounding.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)] // named as in the manual
pub enum Round {
    #[default]
    Nearest,
    Down,
    Up,
    Zero,
}

/// The modifiers of floating-point arithmetic.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
#[allow(missing_docs)] // named as in the manual
pub struct Mode {
    pub round: Round,
    pub ftz: bool,
    pub sat: bool,
}

/// An integer type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Integer {
    /// 8, 16, 32 or 64.
    pub bits: u8,
    /// Has it a sign?
    pub signed: bool,
}

/// What `setp` and `set` test.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Test {
    /// The comparison.
    pub of: Tested,
    /// What is done with it and a third operand.
    pub combine: Option<Combine>,
}

/// A comparison. Of floats, bits say for which relations it holds: less, equal, greater, unordered.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Tested {
    /// `.f32`
    Float(u8),
    /// `.ftz.f32`
    Flushed(u8),
    /// `.f64`
    Double(u8),
    /// Integers and untyped values.
    Integer(Relation, Integer),
}

/// A Boolean operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum Combine {
    And,
    Or,
    Xor,
}

/// The relation that `setp` tests; of floats, the ordered one (`Ne` too).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum Relation {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

/// How the operands of `setp` are taken.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // named as in the manual
pub enum Compared {
    S32,
    U32,
    F32,
}

impl LaneOp {
    /// The name of a form, where it has one.
    pub fn of(form: &Form<'_>) -> Option<Self> {
        Self::common(form).or_else(|| forms::of(form))
    }

    /// The names that analyses know too.
    fn common(form: &Form<'_>) -> Option<Self> {
        use ScalarType as T;
        let ty = form.ty(0)?;
        let words = plain_words(form)?;
        let is_32 = matches!(ty, T::B32 | T::U32 | T::S32);
        let is_64 = matches!(ty, T::B64 | T::U64 | T::S64);
        let is_bits = matches!(ty, T::Pred | T::B32 | T::B64);
        let signed = ty.is_signed();
        Some(match (form.opcode, &words[..]) {
            (Opcode::Mov, []) => LaneOp::Copy,
            (Opcode::Add, []) if is_32 => LaneOp::Add32,
            (Opcode::Add, []) if is_64 => LaneOp::Add64,
            (Opcode::Sub, []) if is_32 => LaneOp::Sub32,
            (Opcode::Sub, []) if is_64 => LaneOp::Sub64,
            (Opcode::Mul, [Word::Lo]) if is_32 => LaneOp::Mul32,
            (Opcode::Mad, [Word::Lo]) if is_32 => LaneOp::Mad32,
            (Opcode::Mul, [Word::Wide]) if ty == T::S32 => LaneOp::MulWideS,
            (Opcode::Mul, [Word::Wide]) if ty == T::U32 => LaneOp::MulWideU,
            (Opcode::Mul, [Word::Wide]) if ty == T::U16 => LaneOp::MulWideU16,
            (Opcode::And, []) if is_bits => LaneOp::And,
            (Opcode::Or, []) if is_bits => LaneOp::Or,
            (Opcode::Xor, []) if is_bits => LaneOp::Xor,
            (Opcode::Not, []) if is_bits => LaneOp::Not,
            (Opcode::Shl, []) if is_32 => LaneOp::Shl32,
            (Opcode::Shl, []) if is_64 => LaneOp::Shl64,
            (Opcode::Shr, []) if is_32 && signed => LaneOp::ShrS32,
            (Opcode::Shr, []) if is_32 => LaneOp::ShrU32,
            (Opcode::Shr, []) if is_64 && !signed => LaneOp::ShrU64,
            (Opcode::Min, []) if is_32 => {
                if signed {
                    LaneOp::MinS32
                } else {
                    LaneOp::MinU32
                }
            }
            (Opcode::Max, []) if is_32 => {
                if signed {
                    LaneOp::MaxS32
                } else {
                    LaneOp::MaxU32
                }
            }
            (Opcode::Selp, []) if is_32 || ty == T::F32 => LaneOp::Select,
            (Opcode::Setp, [relation]) => compare(*relation, ty)?,
            (Opcode::Cvt, []) => convert(ty, form.ty(1)?)?,
            (Opcode::Add, [] | [Word::Rn]) if ty == T::F32 => LaneOp::AddF32,
            (Opcode::Sub, [] | [Word::Rn]) if ty == T::F32 => LaneOp::SubF32,
            (Opcode::Mul, [] | [Word::Rn]) if ty == T::F32 => LaneOp::MulF32,
            (Opcode::Fma, [Word::Rn]) if ty == T::F32 => LaneOp::FmaF32,
            (Opcode::Vabsdiff4, [Word::Add]) if is_plain_video(form) => LaneOp::SumOfByteDistances,
            _ => return None,
        })
    }
}

/// The modifiers that are not types, where all modifiers are fixed words.
fn plain_words(form: &Form<'_>) -> Option<Vec<Word>> {
    let mut list = Vec::new();
    for m in form.modifiers {
        let Modifier::Word(w) = *m else { return None };
        if ScalarType::from_word(w).is_none() {
            list.push(w);
        }
    }
    // A mixed-precision form has a second type.
    let types = form.modifiers.len() - list.len();
    let expected = match form.opcode {
        Opcode::Cvt => 2,
        Opcode::Vabsdiff4 => 3,
        _ => 1,
    };
    (types == expected).then_some(list)
}

fn compare(relation: Word, ty: ScalarType) -> Option<LaneOp> {
    use ScalarType as T;
    let compared = match ty {
        T::S32 => Compared::S32,
        T::U32 | T::B32 => Compared::U32,
        T::F32 => Compared::F32,
        _ => return None,
    };
    Some(LaneOp::Compare(self::relation(relation, ty == T::U32)?, compared))
}

/// The relation that a word names, for a type.
fn relation(word: Word, is_unsigned: bool) -> Option<Relation> {
    Some(match word {
        Word::Eq => Relation::Eq,
        Word::Ne => Relation::Ne,
        Word::Lt => Relation::Lt,
        Word::Le => Relation::Le,
        Word::Gt => Relation::Gt,
        Word::Ge => Relation::Ge,
        Word::Lo if is_unsigned => Relation::Lt,
        Word::Ls if is_unsigned => Relation::Le,
        Word::Hi if is_unsigned => Relation::Gt,
        Word::Hs if is_unsigned => Relation::Ge,
        _ => return None,
    })
}

fn convert(to: ScalarType, from: ScalarType) -> Option<LaneOp> {
    use ScalarType as T;
    match (to, from) {
        (T::S64 | T::U64, T::S32) => Some(LaneOp::SignExtend),
        (T::S64 | T::U64, T::U32) => Some(LaneOp::ZeroExtend),
        (T::S32 | T::U32, T::S64 | T::U64) => Some(LaneOp::Low),
        (T::S32 | T::U32, T::S32 | T::U32) => Some(LaneOp::Copy),
        _ => None,
    }
}

fn is_plain_video(form: &Form<'_>) -> bool {
    (0..3).all(|n| form.ty(n) == Some(ScalarType::U32))
        && form.selectors.iter().all(|s| s.is_empty())
        && !form.negated.contains(&true)
}
