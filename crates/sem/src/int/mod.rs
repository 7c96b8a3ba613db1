//! Integer, logic, condition-code, integer comparison and selection instructions (PTX ISA 9.7.1, 9.7.2, 9.7.6 to 9.7.9).
//!
//! Each instruction becomes a closure over the values of one lane. Signedness, width and modes are resolved before the
//! closure is made, so that a loop of it over 32 lanes has no branch on them.
//!
//! Instructions with a condition code: the closure of a form with `.cc` gives the carry as second result, and the closure of
//! `addc`, `subc` and `madc` takes it as last input. After a subtraction it is true where there was no borrow, as on the chip.
//!
//! `lop3` takes its look-up table, and `prmt` its selectors, as the last integer input. A caller that knows them can use
//! the functions [`lop3`] and [`prmt`] instead, which fold to a few operations where that argument is a constant.

mod arith;
mod bits;
mod carry;
mod compare;
mod divide;
mod dot;
mod logic;
mod minmax;
mod multiply;
mod permute;
mod select;
mod shape;
mod shift;

pub use logic::lop3;
pub use permute::prmt;
pub(crate) use shape::is_shaped;

use crate::{Form, Sink};
use warpvm_isa::{Opcode, Word};

/// Hands the meaning of a form of this module to `sink`.
///
/// # Errors
/// The sink, where the form is not of this module.
pub fn lane<S: Sink>(form: &Form<'_>, sink: S) -> Result<S::Out, S> {
    use Opcode as O;
    match form.opcode {
        O::Add | O::Sub | O::Mad if form.has(Word::Cc) => carry::lane(form, sink),
        O::Addc | O::Subc | O::Madc => carry::lane(form, sink),
        O::Add => arith::add(form, sink),
        O::Sub => arith::sub(form, sink),
        O::Neg => arith::neg(form, sink),
        O::Abs => arith::abs(form, sink),
        O::Sad => arith::sad(form, sink),
        O::Mul => multiply::mul(form, sink),
        O::Mad => multiply::mad(form, sink),
        O::Mul24 => multiply::mul24(form, sink),
        O::Mad24 => multiply::mad24(form, sink),
        O::Div => divide::div(form, sink),
        O::Rem => divide::rem(form, sink),
        O::Min => minmax::min(form, sink),
        O::Max => minmax::max(form, sink),
        O::Popc => bits::popc(form, sink),
        O::Clz => bits::clz(form, sink),
        O::Bfind => bits::bfind(form, sink),
        O::Fns => bits::fns(form, sink),
        O::Brev => bits::brev(form, sink),
        O::Bfe => bits::bfe(form, sink),
        O::Bfi => bits::bfi(form, sink),
        O::Szext => bits::szext(form, sink),
        O::Bmsk => bits::bmsk(form, sink),
        O::Dp4a => dot::dp4a(form, sink),
        O::Dp2a => dot::dp2a(form, sink),
        O::And => logic::and(form, sink),
        O::Or => logic::or(form, sink),
        O::Xor => logic::xor(form, sink),
        O::Not => logic::not(form, sink),
        O::Cnot => logic::cnot(form, sink),
        O::Lop3 => logic::lop3_form(form, sink),
        O::Shl => shift::shl(form, sink),
        O::Shr => shift::shr(form, sink),
        O::Shf => shift::shf(form, sink),
        O::Prmt => permute::prmt_form(form, sink),
        O::Setp => compare::setp(form, sink),
        O::Set => compare::set(form, sink),
        O::Selp => select::selp(form, sink),
        O::Slct => select::slct(form, sink),
        O::Mov => select::mov(form, sink),
        _ => Err(sink),
    }
}
