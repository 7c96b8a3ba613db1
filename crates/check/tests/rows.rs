//! Loads that are told together give the findings that they give one by one.

mod common;

use std::fmt::Write as _;
use std::sync::Arc;

use common::Kernel;
use warpvm_check::{Checker, Context, Finding, Levels, Sites};
use warpvm_machine::exec::WarpView;
use warpvm_machine::launch::{self, Config, Convergence, Schedule, Tier};
use warpvm_machine::observe::{Access, Event, Observer, Who};
use warpvm_machine::program::{Inst, Pc};
use warpvm_machine::slots::LaneMask;

/// A checker that may want to be told of accesses one by one.
struct Told {
    checker: Checker,
    one_by_one: bool,
    /// Accesses that it was told of together.
    together: usize,
}

impl Observer for Told {
    const ACTIVE: bool = true;

    fn turn(&mut self, who: Who) {
        self.checker.turn(who);
    }

    fn wants_step(&self, pc: Pc) -> bool {
        self.checker.wants_step(pc)
    }

    fn wants_steps_among(&self, pc: Pc, len: u32) -> bool {
        self.checker.wants_steps_among(pc, len)
    }

    fn wants_access(&self, pc: Pc) -> bool {
        self.checker.wants_access(pc)
    }

    fn wants_branches(&self) -> bool {
        self.checker.wants_branches()
    }

    fn whole_collective(&mut self, who: Who, pc: Pc) -> bool {
        self.checker.whole_collective(who, pc)
    }

    fn step(&mut self, warp: &WarpView<'_>, who: Who, pc: Pc, inst: &Inst, split: LaneMask, lanes: LaneMask) {
        self.checker.step(warp, who, pc, inst, split, lanes);
    }

    fn access(&mut self, warp: &WarpView<'_>, who: Who, access: &Access<'_>) {
        self.checker.access(warp, who, access);
    }

    fn access_row(&mut self, warp: &WarpView<'_>, who: Who, row: &Access<'_>, accesses: &[(Pc, i32)]) -> bool {
        let is_done = !self.one_by_one && self.checker.access_row(warp, who, row, accesses);
        self.together += if is_done { accesses.len() } else { 0 };
        is_done
    }

    fn event(&mut self, warp: &WarpView<'_>, who: Who, event: &Event<'_>) {
        self.checker.event(warp, who, event);
    }
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % n
    }
}

/// Phases in which warps store to shared memory, or read a good deal of it by one row or two; not always with a barrier
/// between them, and sometimes beyond the variable that is meant.
fn kernel(dice: &mut Dice, rows: u64) -> String {
    let mut text = String::from(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 k_out)\n{\n\
         .shared .align 8 .b8 a[1024];\n.shared .align 8 .b8 b[1024];\n\
         .reg .b32 %t, %x, %y, %z, %s, %v;\n.reg .b64 %o, %d;\n.reg .pred %p;\n\
         ld.param.u64 %o, [k_out];\nmov.u32 %t, %tid.x;\nmov.u32 %s, 0;\n\
         shl.b32 %x, %t, 2;\nmov.u32 %y, a;\nmov.u32 %z, b;\nadd.u32 %y, %y, %x;\nadd.u32 %z, %z, %x;\n\
         and.b32 %v, %t, 63;\nshl.b32 %v, %v, 3;\n",
    );
    // All of it is written at first.
    for by in (0..1024).step_by(256) {
        let _ = write!(text, "st.shared.u32 [%y+{by}], %t;\nst.shared.u32 [%z+{by}], %t;\n");
    }
    text += "bar.sync 0;\n";
    let sloppy = dice.below(2) == 0;
    for phase in 0..4 {
        let row = ["shr.u32 %d1, %t, 4;\nshl.b32 %d1, %d1, 6;\n", "and.b32 %d1, %t, 15;\nshl.b32 %d1, %d1, 2;\n"];
        let _ = write!(text, "{{\n.reg .b32 %d1, %d2, %c;\n{}mov.u32 %c, a;\n", row[dice.below(2) as usize]);
        text += "add.u32 %d1, %d1, %c;\nadd.u32 %d2, %v, %c;\n.reg .b32 %g;\n";
        let far = [0, 0, 512, 992][dice.below(4) as usize];
        for n in 0..4 + dice.below(8) {
            let base = ["%d1", "%d2"][dice.below(rows) as usize];
            let _ = write!(text, "ld.shared.u32 %g, [{base}+{}];\nadd.u32 %s, %s, %g;\n", far / 8 * n.min(7) + 4 * n);
        }
        text += "}\n";
        if !sloppy || dice.below(3) != 0 {
            text += "bar.sync 0;\n";
        }
        let by = 4 * dice.below(16);
        let _ = write!(text, "setp.lt.u32 %p, %t, {};\n@%p st.shared.u32 [%y+{by}], %s;\n", [64, 33, 1][phase % 3]);
        if !sloppy || dice.below(3) != 0 {
            text += "bar.sync 0;\n";
        }
    }
    text + "cvt.u64.u32 %d, %x;\nadd.u64 %o, %o, %d;\nst.global.u32 [%o], %s;\nret;\n}\n"
}

/// The findings of seed 0, and how many accesses were told together.
fn found(text: &str, rows: u64, one_by_one: bool) -> (Vec<String>, usize) {
    let kernel = Kernel::new(text);
    let config = Config {
        tier: Tier::Interpreted,
        schedule: Schedule::Seeded(0),
        convergence: Convergence::Barriers,
        max_steps: 1 << 20,
        threads: 1,
    };
    let cx = Context {
        program: kernel.program.clone(),
        threads: 64,
        grid: [1; 3],
        allocations: kernel.memory.allocations().into(),
        sites: Arc::new(Sites::of(&kernel.program)),
        levels: Levels::default(),
    };
    let make = || Told { checker: Checker::new(cx.clone()), one_by_one, together: 0 };
    let (outcome, mut told) =
        launch::run(&kernel.program, &kernel.memory, &kernel.launch(64), &config, make).expect("a legal launch");
    let told = &mut told[0];
    assert!(told.checker.finish(&kernel.memory, outcome.fault.as_deref()).is_none());
    // Of loads by two rows in turn those of one are told before those of the other: of many that race with a store others may be
    // shown then.
    let text = |f: &Finding| if rows == 1 { format!("{f:?}") } else { format!("{:?}", f.rule) };
    let mut list: Vec<String> = told.checker.found.list().iter().map(text).collect();
    list.sort();
    if rows > 1 {
        list.dedup();
    }
    (list, told.together)
}

#[test]
fn told_together_or_one_by_one() {
    let mut dice = Dice(1);
    let (mut faulty, mut together) = (0, 0);
    for n in 0..300 {
        let rows = 1 + n % 2;
        let text = kernel(&mut dice, rows);
        let (ours, count) = found(&text, rows, false);
        let (theirs, none) = found(&text, rows, true);
        assert_eq!(ours, theirs, "{text}");
        assert_eq!(none, 0);
        faulty += usize::from(!ours.is_empty());
        together += count;
    }
    assert!((30..=270).contains(&faulty) && together > 3000, "{faulty} faulty, {together} accesses told together");
}
