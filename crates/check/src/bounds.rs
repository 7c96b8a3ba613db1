//! Accesses outside the variable that their address was made from.
//!
//! The machine ends a launch where an address lies outside of the memory of a CTA or thread. Inside it PTX has no bounds, but
//! where an address is certainly that of one variable plus a number (see [`provenance`]) an access to another variable is a
//! fault as well. Of an address in local memory that may have been made from anything at least so much is known: it must be
//! that of some variable, and the machine leaves gaps between them. Lanes that go astray are found here and hidden from the
//! other parts: what they would find is a consequence.

mod provenance;

use warpvm_machine::fault::AccessKind;
use warpvm_machine::memory::Space;
use warpvm_machine::observe::Access;
use warpvm_machine::program::{Address, AddressSpace, CollectiveOp, Kind, Pc, Program, Symbol, Variable};
use warpvm_machine::slots::{LaneMask, lanes};

use self::provenance::Provenance;
use crate::faults::{does, named, place};
use crate::{Context, Finding, Rule, Scene, wants};

/// A variable that accesses must stay in.
struct Home {
    space: Space,
    start: u64,
    end: u64,
    name: String,
}

impl Home {
    /// Are accesses of so many bytes, the first and the last of which begin here, inside?
    fn contains(&self, from: u64, to: u64, size: u64) -> bool {
        self.start <= from && to.saturating_add(size) <= self.end
    }
}

/// See the module.
pub(crate) struct Bounds {
    homes: Vec<Home>,
    /// For each instruction one more than the index of the home of what it reads and of what it writes; 0 for none.
    of: Vec<[u16; 2]>,
    /// Where a thread's frame has variables: first byte and end, sorted. Empty where nobody needs to know.
    frame: Vec<(u64, u64)>,
    /// After how many bytes frames of functions that call themselves follow each other.
    frame_step: u64,
}

impl Bounds {
    pub fn new(cx: &Context) -> Self {
        let program = &*cx.program;
        let of = vec![[0; 2]; program.code.len()];
        let mut bounds = Bounds { homes: Vec::new(), of, frame: Vec::new(), frame_step: u64::MAX };
        if cx.levels.drop_all(&[Rule::OobShared, Rule::OobLocal]) {
            return bounds;
        }
        bounds.see_frame(program);
        // A single variable has no neighbour.
        let has_dynamic = usize::from(program.meta.iter().any(|m| m.symbol == Symbol::DynamicShared));
        if program.shared_vars.len() + has_dynamic < 2 && program.local_vars.len() < 2 {
            return bounds;
        }
        let provenance = Provenance::of(program);
        for pc in 0..program.code.len() as Pc {
            let [read, written] = addresses(program, pc);
            let mut home =
                |a: Option<&Address>| a.map_or(0, |a| bounds.home(program, provenance.symbol(program, pc, a)));
            bounds.of[pc as usize] = [home(read), home(written)];
        }
        bounds
    }

    /// Notes where the variables of a thread's frame are. What `alloca` makes lies anywhere.
    fn see_frame(&mut self, program: &Program) {
        let has_stack = program.code.iter().any(|inst| matches!(inst.kind, Kind::Stack(_)));
        let by_address = |pc: &Pc| addresses(program, *pc).iter().flatten().any(|a| may_be_local(a));
        if has_stack || !(0..program.code.len() as Pc).any(|pc| by_address(&pc)) {
            return;
        }
        if program.may_recurse {
            self.frame_step = u64::from(program.local_bytes).max(1);
        }
        let of = |v: &Variable| (u64::from(v.offset), u64::from(v.offset) + u64::from(v.len));
        self.frame = program.local_vars.iter().filter(|v| v.len > 0).map(of).collect();
        self.frame.sort_unstable();
    }

    /// Are these bytes of local memory in one variable?
    fn is_in_frame(&self, from: u64, to: u64) -> bool {
        let at = from % self.frame_step;
        let i = self.frame.partition_point(|v| v.0 <= at);
        i > 0 && at + (to - from) <= self.frame[i - 1].1
    }

    /// One more than the index of a symbol's home.
    fn home(&mut self, program: &Program, symbol: Symbol) -> u16 {
        let Some(home) = home(program, symbol) else { return 0 };
        let known = self.homes.iter().position(|h| h.space == home.space && h.start == home.start);
        let index = known.unwrap_or_else(|| {
            self.homes.push(home);
            self.homes.len() - 1
        });
        u16::try_from(index + 1).unwrap_or(0)
    }

    /// What an instruction is wanted for.
    pub fn wants(&self, program: &Program, pc: usize) -> u8 {
        let may_stray = || addresses(program, pc as Pc).iter().flatten().any(|a| may_be_local(a));
        if self.of[pc] != [0; 2] || !self.frame.is_empty() && may_stray() { wants::ACCESS } else { 0 }
    }

    /// The variable that the address of an access was made from.
    #[inline]
    fn home_of(&self, pc: Pc, kind: AccessKind) -> Option<&Home> {
        let [read, written] = self.of[pc as usize];
        let index = if kind == AccessKind::Read { read } else { written };
        usize::from(index).checked_sub(1).map(|i| &self.homes[i])
    }

    /// Lanes whose access leaves the variable that its address was made from.
    #[inline]
    pub fn stray(&self, access: &Access<'_>) -> LaneMask {
        let size = u64::from(access.size);
        let (low, high) = (access.spread.low, access.spread.high);
        let Some(home) = self.home_of(access.pc, access.kind) else {
            if access.space != Space::Local || self.frame.is_empty() || self.is_in_frame(low, high.saturating_add(size))
            {
                return 0;
            }
            let at = |l: usize| access.addresses.at(l);
            let is_stray = |l: &usize| !self.is_in_frame(at(*l), at(*l).saturating_add(size));
            return lanes(access.lanes).filter(is_stray).fold(0, |mask, l| mask | 1 << l);
        };
        let is_inside = |from: u64, to: u64| home.contains(from, to, size);
        if home.space != access.space || is_inside(low, high) {
            return 0;
        }
        let is_stray = |l: &usize| !is_inside(access.addresses.at(*l), access.addresses.at(*l));
        lanes(access.lanes).filter(is_stray).fold(0, |mask, l| mask | 1 << l)
    }

    /// Do all reads by one row, at these distances, stay in the variables that their addresses were made from?
    pub fn are_inside(&self, row: &Access<'_>, reads: &[(Pc, i32)]) -> bool {
        // Local memory is looked at access by access.
        if row.space == Space::Local && !self.frame.is_empty() {
            return false;
        }
        let Some(&(first, by)) = reads.first() else { return true };
        let mut ends = (by, by);
        for &(pc, by) in reads {
            if self.of[pc as usize] != self.of[first as usize] {
                return false;
            }
            ends = (ends.0.min(by), ends.1.max(by));
        }
        let at = |address: u64, by: i32| address.wrapping_add_signed(i64::from(by));
        self.home_of(first, AccessKind::Read).is_none_or(|home| {
            home.space != row.space
                || home.contains(at(row.spread.low, ends.0), at(row.spread.high, ends.1), u64::from(row.size))
        })
    }

    /// Says which lanes have gone astray.
    #[cold]
    pub fn report(&self, s: &mut Scene<'_>, access: &Access<'_>, stray: LaneMask) {
        let home = self.home_of(access.pc, access.kind);
        let space = home.map_or(Space::Local, |h| h.space);
        let rule = if space == Space::Local { Rule::OobLocal } else { Rule::OobShared };
        if s.found.again(rule, access.pc, None) {
            return;
        }
        let why = "an address that is made from a variable leads to that variable only: what lies beside it is not \
                   defined; PTX ISA, section 5.4 (variables); C++, pointer arithmetic";
        let mut finding = Finding::new(rule, access.pc, s.warp.cta, s.who.warp, stray, why);
        let lane = stray.trailing_zeros() as usize & 31;
        let at = place(&s.cx.program, s.warp.global, space, access.addresses.at(lane));
        let by = match home {
            None => String::new(),
            Some(Home { end: u64::MAX, name, .. }) => format!(", by an address made from {name}"),
            Some(Home { start, end, name, .. }) => format!(", by an address made from {name} ({} bytes)", end - start),
        };
        finding.message = match home {
            None => "access outside of every variable of local memory".to_owned(),
            Some(_) => format!("access outside of the variable of {} memory whose address it uses", named(space)),
        };
        finding.here = format!("lane {lane} {} {} bytes at {at}{by}", does(access.kind), access.size);
        s.found.add(finding);
    }
}

fn home(program: &Program, symbol: Symbol) -> Option<Home> {
    let (space, list, offset) = match symbol {
        Symbol::None | Symbol::Several => return None,
        Symbol::DynamicShared => {
            let start = u64::from(program.dynamic_shared_start);
            return Some(Home { space: Space::Shared, start, end: u64::MAX, name: "dynamic shared memory".to_owned() });
        }
        Symbol::Shared(offset) => (Space::Shared, &program.shared_vars, offset),
        // A thread's stack moves the variables of functions that may recurse.
        Symbol::Local(_) if program.may_recurse => return None,
        Symbol::Local(offset) => (Space::Local, &program.local_vars, offset),
    };
    let v = list.iter().find(|v| v.offset == offset && v.len > 0)?;
    let start = u64::from(v.offset);
    Some(Home { space, start, end: start + u64::from(v.len), name: format!("`{}`", v.name) })
}

/// May an address in a register lead to local memory?
fn may_be_local(a: &Address) -> bool {
    a.base.is_some() && matches!(a.space, AddressSpace::Local | AddressSpace::Frame | AddressSpace::Generic)
}

/// Addresses that an instruction reads from and writes to.
fn addresses(program: &Program, pc: Pc) -> [Option<&Address>; 2] {
    match &program.code[pc as usize].kind {
        Kind::Load(load) => [Some(&load.address), None],
        Kind::Store(store) => [None, Some(&store.address)],
        Kind::Atomic(atomic) => [None, Some(&atomic.address)],
        Kind::AsyncCopy(copy) if copy.tensor.is_none() => [Some(&copy.source), Some(&copy.destination)],
        Kind::Collective(c) => match &c.op {
            CollectiveOp::Matrix(m) if m.is_store => [None, Some(&m.address)],
            CollectiveOp::Matrix(m) => [Some(&m.address), None],
            CollectiveOp::Fragment(m) if m.is_store => [None, Some(&m.address)],
            CollectiveOp::Fragment(m) => [Some(&m.address), None],
            _ => [None; 2],
        },
        _ => [None; 2],
    }
}
