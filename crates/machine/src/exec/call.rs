//! Calls (PTX ISA, section 7.1 and 9.7.12.5): arguments are copied lane by lane to where the function looks for them.
//!
//! Registers of a function have fixed slots. A function that may be active already has its columns saved at the call
//! and put back at the return, and its frame in local memory lies above the caller's.

use std::sync::Arc;

use super::{Engine, Frame, Group, Split};
use crate::fault::{Fault, FaultKind};
use crate::memory::{Space, resolve_generic};
use crate::observe::{Event, Observer};
use crate::program::{Builtin, Call, Callee, Kind, Pc, Place, StackOp};
use crate::slots::{Class, LaneMask, lanes};

/// Deepest nesting of calls.
const MAX_DEPTH: u32 = 4096;

impl<O: Observer> Engine<'_, O> {
    pub(super) fn call(
        &mut self,
        group: &mut Group,
        w: usize,
        mut split: Split,
        call: &Call,
    ) -> Result<Option<Split>, Box<Fault>> {
        match &call.callee {
            Callee::Function(f) => self.enter(group, w, split, call, *f).map(Some),
            Callee::Builtin(b) => {
                self.builtin(group, w, split.pc, *b, call, split.mask)?;
                Ok(Some(Split { pc: split.pc + 1, ..split }))
            }
            Callee::Indirect(slot) => {
                let row = *group.warps[w].regs.row64(*slot);
                let pc = split.pc;
                let meet = self.meeting(pc + 1);
                loop {
                    let first = split.mask.trailing_zeros() as usize;
                    let same = lanes(split.mask).filter(|&i| row[i] == row[first]).fold(0, |m, i| m | 1 << i);
                    let Some(&f) = self.cx.program.codes.get(&row[first]) else {
                        return Err(Self::fault(group, w, pc, same, FaultKind::BadCallee(row[first])));
                    };
                    if same == split.mask {
                        return self.enter(group, w, split, call, f).map(Some);
                    }
                    // The others call again on their own.
                    let others = split.mask & !same;
                    group.warps[w].part(&mut split, others, pc, meet);
                }
            }
        }
    }

    fn enter(&mut self, group: &mut Group, w: usize, split: Split, call: &Call, f: u32) -> Result<Split, Box<Fault>> {
        let program = self.cx.program;
        let function = &program.functions[f as usize];
        let depth = split.frames.as_ref().map_or(0, |f| f.depth + 1);
        if depth > MAX_DEPTH {
            return Err(Self::fault(group, w, split.pc, split.mask, FaultKind::StackOverflow));
        }
        if call.args.len() != function.formals.len() || call.results.len() != function.results.len() {
            let text = format!(
                "`{}` takes {} arguments and gives {} results; the call has {} and {}",
                function.name,
                function.formals.len(),
                function.results.len(),
                call.args.len(),
                call.results.len()
            );
            return Err(Self::fault(group, w, split.pc, split.mask, FaultKind::BadCall(text)));
        }
        let warp = &mut group.warps[w];
        let saved = function.recursive.then(|| warp.regs.save(function.slots.0, function.slots.1));
        let stack = if function.recursive { program.local_bytes } else { 0 };
        if function.recursive {
            let deepest = lanes(split.mask).map(|i| warp.stack[i]).max().unwrap_or(0);
            if u64::from(deepest) + 2 * u64::from(stack) > u64::from(warp.local_stride) {
                return Err(Self::fault(group, w, split.pc, split.mask, FaultKind::StackOverflow));
            }
        }
        let old = warp.stack;
        let mut new = old;
        lanes(split.mask).for_each(|i| new[i] += stack);
        copy_places(warp, &call.args, &function.formals, split.mask, &old, &new);
        warp.stack = new;
        let frame = Frame {
            return_to: split.pc + 1,
            call: split.pc,
            function: f,
            parent: split.frames.clone(),
            saved,
            stack,
            depth,
        };
        if O::ACTIVE {
            let event = Event::Call { pc: split.pc, lanes: split.mask, function: f };
            self.tell(group, w, &event);
        }
        Ok(Split { pc: function.start, frames: Some(Arc::new(frame)), ..split })
    }

    pub(super) fn ret(&mut self, group: &mut Group, w: usize, split: Split) -> Result<Split, Box<Fault>> {
        let program = self.cx.program;
        let Some(frame) = split.frames.clone() else { unreachable!("a return outside of a function is an exit") };
        if O::ACTIVE {
            let event = Event::Return { pc: split.pc, lanes: split.mask };
            self.tell(group, w, &event);
        }
        let function = &program.functions[frame.function as usize];
        let Kind::Call(call) = &program.code[frame.call as usize].kind else { unreachable!("frames come from calls") };
        let warp = &mut group.warps[w];
        let inner = warp.stack;
        let mut outer = inner;
        lanes(split.mask).for_each(|i| outer[i] -= frame.stack);
        match &frame.saved {
            None => copy_places(warp, &function.results, &call.results, split.mask, &inner, &outer),
            Some(saved) => {
                // The results may lie in registers that are put back: take them out first.
                let results: Vec<[u64; 32]> = function
                    .results
                    .iter()
                    .map(|p| match p {
                        Place::Register(class, slot) => std::array::from_fn(|i| warp.regs.get(*class, *slot, i)),
                        Place::Memory(..) => [0; 32],
                    })
                    .collect();
                warp.regs.restore(function.slots.0, saved, &function.rows, split.mask);
                for ((from, to), values) in function.results.iter().zip(&call.results).zip(&results) {
                    match (from, to) {
                        (Place::Register(..), Place::Register(class, slot)) => {
                            lanes(split.mask).for_each(|i| warp.regs.set(*class, *slot, i, values[i]));
                        }
                        _ => copy_places(warp, &[*from], &[*to], split.mask, &inner, &outer),
                    }
                }
            }
        }
        warp.stack = outer;
        Ok(Split { pc: frame.return_to, frames: frame.parent.clone(), ..split })
    }

    fn builtin(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        b: Builtin,
        call: &Call,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        for lane in lanes(mask) {
            let mut args = [0u64; 5];
            for (n, place) in call.args.iter().take(5).enumerate() {
                args[n] = get_place(&group.warps[w], *place, lane);
            }
            let result = match b {
                Builtin::Vprintf => {
                    let text = self.format(group, w, lane, args[0], args[1]);
                    let count = text.len() as u64;
                    self.cx.output.lock().expect("output lock").extend_from_slice(&text);
                    count
                }
                Builtin::Malloc => {
                    let address = self.cx.global.heap_allocate(args[0]);
                    if O::ACTIVE && address != 0 {
                        let event = Event::Malloc { lane: lane as u32, address, len: args[0] };
                        self.tell(group, w, &event);
                    }
                    address
                }
                Builtin::Free => {
                    if args[0] != 0 {
                        if O::ACTIVE {
                            let event = Event::Free { pc, lane: lane as u32, address: args[0] };
                            self.tell(group, w, &event);
                        }
                        if !self.cx.global.heap_free(args[0]) {
                            return Err(Self::fault(group, w, pc, 1 << lane, FaultKind::BadFree(args[0])));
                        }
                    }
                    0
                }
                Builtin::AssertFail => {
                    let text = |e: &Self, at: u64| String::from_utf8_lossy(&e.string(group, w, lane, at)).into_owned();
                    let kind = FaultKind::Assert {
                        message: text(self, args[0]),
                        file: text(self, args[1]),
                        line: args[2] as u32,
                        function: text(self, args[3]),
                    };
                    return Err(Self::fault(group, w, pc, 1 << lane, kind));
                }
            };
            if let Some(place) = call.results.first() {
                set_place(&mut group.warps[w], *place, lane, result);
            }
        }
        Ok(())
    }

    /// A byte of any memory that a lane can read.
    pub(super) fn byte(&self, group: &Group, w: usize, lane: usize, address: u64) -> Option<u8> {
        let (space, offset) = resolve_generic(address);
        let warp = &group.warps[w];
        match space {
            // SAFETY: `pointer` gives one byte.
            Space::Global => self.cx.global.pointer(address, 1, &mut 0).map(|p| unsafe { p.read() }),
            Space::Shared => group.ctas[warp.cta].shared.get(offset as usize).copied(),
            Space::Local => {
                let fits = offset < u64::from(warp.local_stride);
                fits.then(|| warp.local[lane * warp.local_stride as usize + offset as usize])
            }
            Space::Param => self.cx.params.get(offset as usize).copied(),
        }
    }

    /// A zero-terminated string, of at most 4 KiB.
    pub(super) fn string(&self, group: &Group, w: usize, lane: usize, address: u64) -> Vec<u8> {
        let bytes = (0..4096).map_while(|i| self.byte(group, w, lane, address.wrapping_add(i)).filter(|b| *b != 0));
        bytes.collect()
    }

    pub(super) fn stack_op(
        &mut self,
        group: &mut Group,
        w: usize,
        pc: Pc,
        op: &StackOp,
        mask: LaneMask,
    ) -> Result<(), Box<Fault>> {
        let program = self.cx.program;
        let warp = &mut group.warps[w];
        for lane in lanes(mask) {
            match op {
                StackOp::Alloca { result, size, align } => {
                    let size = warp.regs.get(size.0, size.1, lane);
                    let at = (u64::from(warp.stack[lane]) + u64::from(program.local_bytes))
                        .next_multiple_of(u64::from(*align));
                    let end = at.saturating_add(size);
                    if end + u64::from(program.local_bytes) > u64::from(warp.local_stride) {
                        return Err(Self::fault(group, w, pc, 1 << lane, FaultKind::StackOverflow));
                    }
                    warp.regs.set(result.0, result.1, lane, at);
                    warp.stack[lane] = (end - u64::from(program.local_bytes)).max(u64::from(warp.stack[lane])) as u32;
                }
                StackOp::Save { result } => warp.regs.set(result.0, result.1, lane, u64::from(warp.stack[lane])),
                StackOp::Restore { source } => warp.stack[lane] = warp.regs.get(source.0, source.1, lane) as u32,
            }
        }
        Ok(())
    }
}

fn local_range(warp: &super::Warp, lane: usize, offset: u32, len: u32, stack: u32) -> Option<std::ops::Range<usize>> {
    let start = lane as u64 * u64::from(warp.local_stride) + u64::from(offset) + u64::from(stack);
    let end = start + u64::from(len);
    (end <= (lane as u64 + 1) * u64::from(warp.local_stride)).then_some(start as usize..end as usize)
}

fn get_place(warp: &super::Warp, place: Place, lane: usize) -> u64 {
    match place {
        Place::Register(class, slot) => warp.regs.get(class, slot, lane),
        Place::Memory(offset, len) => {
            let mut bytes = [0; 8];
            let len = len.min(8);
            if let Some(range) = local_range(warp, lane, offset, len, warp.stack[lane]) {
                bytes[..len as usize].copy_from_slice(&warp.local[range]);
            }
            u64::from_le_bytes(bytes)
        }
    }
}

fn set_place(warp: &mut super::Warp, place: Place, lane: usize, value: u64) {
    match place {
        Place::Register(class, slot) => warp.regs.set(class, slot, lane, value),
        Place::Memory(offset, len) => {
            let len = len.min(8);
            if let Some(range) = local_range(warp, lane, offset, len, warp.stack[lane]) {
                warp.local[range].copy_from_slice(&value.to_le_bytes()[..len as usize]);
            }
        }
    }
}

/// Copies values from places to places for the lanes of `mask`, with their stacks before and after.
fn copy_places(warp: &mut super::Warp, from: &[Place], to: &[Place], mask: LaneMask, old: &[u32; 32], new: &[u32; 32]) {
    for (from, to) in from.iter().zip(to) {
        for lane in lanes(mask) {
            match (*from, *to) {
                (Place::Memory(a, len), Place::Memory(b, room)) => {
                    let len = len.min(room);
                    let source = local_range(warp, lane, a, len, old[lane]);
                    let target = local_range(warp, lane, b, len, new[lane]);
                    if let (Some(s), Some(t)) = (source, target) {
                        warp.local.copy_within(s, t.start);
                    }
                }
                (Place::Register(Class::R128, a), Place::Register(Class::R128, b)) => {
                    for half in [0, 256] {
                        let value = warp.regs.get(Class::R64, crate::slots::Slot(a.0 + half), lane);
                        warp.regs.set(Class::R64, crate::slots::Slot(b.0 + half), lane, value);
                    }
                }
                (Place::Register(a, x), Place::Register(b, y)) => {
                    let value = warp.regs.get(a, x, lane);
                    warp.regs.set(b, y, lane, value);
                }
                (Place::Register(a, x), Place::Memory(b, len)) => {
                    let bytes = warp.regs.get(a, x, lane).to_le_bytes();
                    let len = len.min(8);
                    if let Some(range) = local_range(warp, lane, b, len, new[lane]) {
                        warp.local[range].copy_from_slice(&bytes[..len as usize]);
                    }
                }
                (Place::Memory(a, len), Place::Register(b, y)) => {
                    let mut bytes = [0; 8];
                    let len = len.min(8);
                    if let Some(range) = local_range(warp, lane, a, len, old[lane]) {
                        bytes[..len as usize].copy_from_slice(&warp.local[range]);
                    }
                    warp.regs.set(b, y, lane, u64::from_le_bytes(bytes));
                }
            }
        }
    }
}
