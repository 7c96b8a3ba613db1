//! Undefined bits in arguments and results of calls.

use std::sync::Arc;

use warpvm_machine::memory::{Space, resolve_generic};
use warpvm_machine::program::{Builtin, Call, Callee, Kind, Pc, Place};
use warpvm_machine::slots::{Class, LaneMask, Slot, lanes};

use super::report::Use;
use super::rows::{OriginId, Rows, Shade};
use super::{Values, width};
use crate::{Rule, Scene};

/// A call that a lane is in.
#[derive(Clone)]
pub(super) struct CallRecord {
    pc: Pc,
    function: u32,
    /// The registers before, where the function may be active already.
    saved: Option<Arc<Rows>>,
}

/// A value on its way: undefined bits of its bytes, by lane; empty where all are defined.
pub(super) type Passed = Vec<Vec<(u8, OriginId)>>;

fn halves(class: Class) -> u32 {
    if class == Class::R128 { 2 } else { 1 }
}

/// The value of a pointer that is passed.
fn pointer(s: &Scene<'_>, place: Place, lane: usize) -> Option<u64> {
    match place {
        Place::Register(class, slot) => Some(s.warp.regs.get(class, slot, lane)),
        Place::Memory(offset, 8) => {
            let own = lane * s.warp.local_stride as usize;
            let at = own + (offset + s.warp.stack[lane]) as usize;
            let bytes = s.warp.local.get(at..at + 8)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        }
        Place::Memory(..) => None,
    }
}

/// Bytes of each value that a format of `printf` asks for.
fn value_sizes(format: &[u8]) -> Vec<u32> {
    let mut sizes = Vec::new();
    let mut rest = format.iter();
    while rest.any(|c| *c == b'%') {
        let mut long = 0;
        for c in rest.by_ref() {
            match c {
                b'*' => sizes.push(4),
                b'l' => long += 1,
                b'j' | b'z' | b't' => long = 1,
                b'-' | b'+' | b' ' | b'#' | b'.' | b'h' | b'0'..=b'9' => {}
                b'%' => break,
                b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'c' if long == 0 => {
                    sizes.push(4);
                    break;
                }
                _ => {
                    sizes.push(8);
                    break;
                }
            }
        }
    }
    sizes
}

impl Values {
    /// Takes the values of places, for the lanes of `mask`.
    fn take(&mut self, s: &Scene<'_>, pc: Pc, places: &[Place], mask: LaneMask, stack: &[u32; 32]) -> Vec<Passed> {
        let mut list = Vec::with_capacity(places.len());
        for place in places {
            let mut value: Passed = vec![Vec::new(); 32];
            match *place {
                Place::Register(class, slot) => {
                    for half in 0..halves(class) {
                        let shade = self.read(s, pc, class, Slot(slot.0 + 256 * half), mask);
                        for lane in lanes(mask) {
                            let bits = if class == Class::Pred { shade.bits[lane] * 0xff } else { shade.bits[lane] };
                            let bytes = bits.to_le_bytes();
                            value[lane].extend(bytes.map(|b| (b, shade.origin[lane])));
                        }
                    }
                }
                Place::Memory(offset, len) => {
                    for lane in lanes(mask) {
                        let at = u64::from(offset) + u64::from(stack[lane]);
                        value[lane] = self.frame_bits(s, lane, at, len);
                    }
                }
            }
            list.push(value);
        }
        list
    }

    /// Puts values into places.
    fn put(&mut self, s: &Scene<'_>, places: &[Place], values: &[Passed], mask: LaneMask, stack: &[u32; 32]) {
        for (place, value) in places.iter().zip(values) {
            match *place {
                Place::Register(class, slot) => {
                    for half in 0..halves(class) {
                        let mut shade = Shade::NONE;
                        for lane in lanes(mask) {
                            let start = 8 * half as usize;
                            for (i, (bits, origin)) in value[lane].iter().skip(start).take(8).enumerate() {
                                shade.add(lane, u64::from(*bits) << (8 * i), *origin);
                            }
                            shade.bits[lane] &= super::ones(width(class));
                        }
                        self.write(s, class, Slot(slot.0 + 256 * half), mask, &shade);
                    }
                }
                Place::Memory(offset, len) => {
                    for lane in lanes(mask) {
                        let mut bytes = value[lane].clone();
                        bytes.truncate(len as usize);
                        let at = u64::from(offset) + u64::from(stack[lane]);
                        self.set_frame_bits(s, lane, at, &bytes);
                    }
                }
            }
        }
    }

    /// A call is about to be made.
    pub(super) fn pass(&mut self, s: &mut Scene<'_>, pc: Pc, call: &Call, mask: LaneMask) {
        if let Callee::Builtin(builtin) = call.callee {
            if builtin == Builtin::Vprintf {
                self.printed(s, pc, call, mask);
            }
            let defined: Vec<Passed> = call.results.iter().map(|_| vec![vec![(0, 0); 8]; 32]).collect();
            self.put(s, &call.results, &defined, mask, s.warp.stack);
            return;
        }
        let passed = self.take(s, pc, &call.args, mask, s.warp.stack);
        self.warp(s).passed = passed;
    }

    /// What `vprintf` prints is an output: its pointers and the values that the format asks for.
    fn printed(&mut self, s: &mut Scene<'_>, pc: Pc, call: &Call, mask: LaneMask) {
        let passed = self.take(s, pc, &call.args, mask, s.warp.stack);
        let mut shade = Shade::NONE;
        for lane in lanes(mask) {
            let open = passed.iter().flat_map(|p| &p[lane]).find(|b| b.0 != 0).copied();
            let open = open.or_else(|| match call.args[..] {
                [format, buffer] => {
                    let (format, buffer) = (pointer(s, format, lane), pointer(s, buffer, lane));
                    self.printed_values(s, lane, format?, buffer?)
                }
                _ => None,
            });
            if let Some((bits, origin)) = open {
                shade.add(lane, u64::from(bits), origin);
                if shade.origin[lane] == 0 {
                    shade.origin[lane] = self
                        .origins
                        .at(s, Rule::UninitLocal, pc, lane, || "prints a value that it has not written".to_owned());
                }
            }
        }
        self.demand(s, pc, &shade, mask, Use::Output);
    }

    /// The first undefined byte of the values that a format asks for, where they are in the thread's own memory.
    fn printed_values(&mut self, s: &Scene<'_>, lane: usize, format: u64, buffer: u64) -> Option<(u8, OriginId)> {
        let (space, start) = resolve_generic(buffer);
        if space != Space::Local || buffer == 0 {
            return None;
        }
        let text: Vec<u8> =
            (format..format + 4096).map_while(|at| s.warp.global.peek(at).filter(|b| *b != 0)).collect();
        let mut next = start;
        for size in value_sizes(&text) {
            let at = next.next_multiple_of(u64::from(size));
            next = at + u64::from(size);
            if let Some(open) = self.frame_bits(s, lane, at, size).into_iter().find(|b| b.0 != 0) {
                return Some(open);
            }
        }
        None
    }

    /// Lanes are in a function.
    pub(super) fn enter(&mut self, s: &Scene<'_>, pc: Pc, function: u32, mask: LaneMask) {
        let cx = s.cx;
        let program = &*cx.program;
        let f = &program.functions[function as usize];
        let saved = f.recursive.then(|| Arc::new(self.warp(s).rows.clone()));
        let plans = self.plans.clone();
        let [closed, open] = &plans.entries[function as usize];
        let warp = self.warp(s);
        for lane in lanes(mask) {
            warp.calls[lane].push(CallRecord { pc, function, saved: saved.clone() });
        }
        closed.iter().for_each(|r| warp.rows.define(*r, mask));
        open.iter().for_each(|r| warp.rows.forget(*r, mask));
        // A call through a pointer is made by groups of lanes: the rest is still to come.
        let passed = warp.passed.clone();
        self.put(s, &f.formals, &passed, mask, s.warp.stack);
    }

    /// Lanes are about to return.
    pub(super) fn leave(&mut self, s: &Scene<'_>, mask: LaneMask) {
        let cx = s.cx;
        let program = &*cx.program;
        let warp = self.warp(s);
        let mut record = None;
        for lane in lanes(mask) {
            record = warp.calls[lane].pop().or(record);
        }
        let Some(record) = record else { return };
        let f = &program.functions[record.function as usize];
        let Kind::Call(call) = &program.code[record.pc as usize].kind else { return };
        let inner = *s.warp.stack;
        let frame = if f.recursive { program.local_bytes } else { 0 };
        let outer = inner.map(|at| at.wrapping_sub(frame));
        let results = self.take(s, record.pc, &f.results, mask, &inner);
        if let Some(saved) = &record.saved {
            for &(class, slot) in &f.rows {
                let row = self.plans.row(slot);
                let shade = saved.shade(row, width(class));
                self.warp(s).rows.set(row, width(class), mask, &shade);
            }
        }
        self.put(s, &call.results, &results, mask, &outer);
    }
}

#[cfg(test)]
mod tests {
    use super::value_sizes;

    #[test]
    fn a_format_tells_its_values() {
        assert_eq!(value_sizes(b"a %d, %5.2f%% %s %*lld %lu %c\n"), [4, 8, 8, 4, 8, 8, 4]);
        assert_eq!(value_sizes(b"100%"), []);
    }
}
