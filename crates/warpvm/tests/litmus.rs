//! The memory model as seeded schedules show it (PTX ISA, chapter 8): what it forbids never happens, and what it
//! leaves open by late stores does. Two threads share `x` and `y`, zero at first; what they read comes out as a pair.

use std::collections::BTreeSet;

use warpvm::{Arg, Device, Module, Options, Schedule};

const SEEDS: u64 = 600;
/// The pairs that an ordered machine gives for message passing.
const IN_ORDER: [(u32, u32); 3] = [(0, 0), (0, 1), (1, 1)];

/// Where the two threads are.
#[derive(Clone, Copy)]
enum Place {
    /// Each in a CTA of its own; `x` and `y` are in global memory.
    Ctas,
    /// In two warps of a CTA; `x` and `y` are in its shared memory.
    Warps,
    /// In two lanes of a warp; `x` and `y` are in its shared memory.
    Lanes,
}

/// Runs two threads under many seeds. `%x` and `%y` are addresses; thread 1 leaves its pair in `%a` and `%b`,
/// unless thread 0 says that it has one with `%p`.
fn outcomes(place: Place, threads: [&str; 2]) -> BTreeSet<(u32, u32)> {
    let (space, grid, block, who) = match place {
        Place::Ctas => ("global", 2, 1, "mov.u32 %who, %ctaid.x;"),
        Place::Warps => ("shared", 1, 64, "mov.u32 %who, %tid.x;\nshr.u32 %who, %who, 5;"),
        Place::Lanes => ("shared", 1, 2, "mov.u32 %who, %tid.x;"),
    };
    let addresses = match place {
        Place::Ctas => "mov.u64 %x, %out;\nadd.u64 %y, %out, 64;",
        _ => "mov.u64 %x, xy;\nadd.u64 %y, %x, 64;\nst.shared.u32 [%x], 0;\nst.shared.u32 [%y], 0;\nbar.sync 0;",
    };
    let text = format!(
        ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 out)\n{{
        .reg .b32 %a, %b, %who;\n.reg .b64 %out, %x, %y;\n.reg .pred %p, %q;\n.shared .align 4 .b8 xy[128];
        ld.param.u64 %out, [out];\n{who}\n{addresses}\nmov.u32 %a, 0;\nmov.u32 %b, 0;
        setp.ne.u32 %p, %who, 0;\nmov.u32 %who, %tid.x;\nand.b32 %who, %who, 31;
        setp.ne.and.u32 %q, %who, 0, {only};\n@%q exit;\n@%p bra second;\n{}\nbra done;\nsecond:\n{}\ndone:
        @!%p exit;\nst.global.u32 [%out+128], %a;\nst.global.u32 [%out+132], %b;\nret;\n}}\n",
        threads[0].replace("SPACE", space),
        threads[1].replace("SPACE", space),
        only = "!%p",
    );
    let text = match place {
        // Lane 1 is the second thread.
        Place::Lanes => text.replace("@%q exit;", ""),
        _ => text.replace("setp.ne.and.u32 %q, %who, 0, !%p", "setp.ne.u32 %q, %who, 0"),
    };
    let module = Module::from_ptx("litmus.ptx", &text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let kernel = module.kernel("k").expect("a kernel");
    let mut device = Device::new(&module).expect("memory");
    let run = |seed| {
        let out = device.upload("out", &[0_u32; 34]).expect("memory");
        let options = Options { schedule: Schedule::Seeded(seed), ..Options::default() };
        let report = device.launch(&kernel, [grid, 1, 1], [block, 1, 1], &[Arg::Buffer(out)], &options);
        report.expect("a run without a fault");
        let words = device.download::<u32>(out);
        device.free(out);
        (words[32], words[33])
    };
    (0..SEEDS).map(run).collect()
}

fn all_places() -> [Place; 3] {
    [Place::Ctas, Place::Warps, Place::Lanes]
}

#[test]
fn messages_overtake_each_other_without_fences() {
    let threads = [
        "st.SPACE.u32 [%x], 1;\nst.relaxed.gpu.SPACE.u32 [%y], 1;",
        "ld.relaxed.gpu.SPACE.u32 %a, [%y];\nld.relaxed.gpu.SPACE.u32 %b, [%x];",
    ];
    for place in all_places() {
        assert!(outcomes(place, threads).contains(&(1, 0)), "a late store was never seen");
    }
}

#[test]
fn a_release_keeps_messages_in_order() {
    let read = "ld.acquire.gpu.SPACE.u32 %a, [%y];\nld.relaxed.gpu.SPACE.u32 %b, [%x];";
    let writes = [
        "st.relaxed.gpu.SPACE.u32 [%x], 1;\nst.release.gpu.SPACE.u32 [%y], 1;",
        "st.SPACE.u32 [%x], 1;\nfence.acq_rel.gpu;\nst.relaxed.gpu.SPACE.u32 [%y], 1;",
        "st.SPACE.u32 [%x], 1;\nmembar.gl;\natom.relaxed.gpu.SPACE.exch.b32 %a, [%y], 1;",
        "st.SPACE.u32 [%x], 1;\nred.release.gpu.SPACE.add.u32 [%y], 1;",
    ];
    for place in all_places() {
        for write in writes {
            let seen = outcomes(place, [write, read]);
            assert!(seen.iter().all(|pair| IN_ORDER.contains(pair)), "{write}: {seen:?}");
            assert!(seen.contains(&(1, 1)), "{write}: {seen:?}");
        }
    }
}

#[test]
fn a_relaxed_atomic_orders_nothing() {
    let threads = [
        "st.SPACE.u32 [%x], 1;\nred.relaxed.gpu.SPACE.add.u32 [%y], 1;",
        "ld.acquire.gpu.SPACE.u32 %a, [%y];\nld.relaxed.gpu.SPACE.u32 %b, [%x];",
    ];
    for place in all_places() {
        assert!(outcomes(place, threads).contains(&(1, 0)));
    }
}

#[test]
fn stores_and_loads_pass_each_other_unless_fenced() {
    let thread = |mine, other, result, fence| {
        format!("st.SPACE.u32 [{mine}], 1;\n{fence}ld.relaxed.gpu.SPACE.u32 %{result}, [{other}];\n")
    };
    // Thread 0 hands over what it read through the third word.
    let run = |fence| {
        let first = thread("%x", "%y", "a", fence) + "add.u32 %a, %a, 1;\nst.release.gpu.SPACE.u32 [%y+4], %a;";
        let second = thread("%y", "%x", "b", fence)
            + "again:\nld.acquire.gpu.SPACE.u32 %a, [%y+4];\nsetp.eq.u32 %q, %a, 0;\n@%q bra again;\nsub.u32 %a, %a, 1;";
        outcomes(Place::Ctas, [&first, &second])
    };
    assert!(run("").contains(&(0, 0)), "both stores late");
    assert!(!run("fence.sc.gpu;\n").contains(&(0, 0)));
}

#[test]
fn a_thread_sees_its_own_stores_and_one_place_has_one_order() {
    let threads = [
        "st.SPACE.u32 [%x], 1;\nst.SPACE.u32 [%x], 2;",
        "st.SPACE.u32 [%y], 5;\nst.SPACE.u8 [%y+1], 1;\nld.SPACE.u32 %a, [%y];\nld.relaxed.gpu.SPACE.u32 %b, [%x];\n
         sub.u32 %a, %a, 261;\nsetp.ne.u32 %q, %b, 2;\nselp.u32 %b, 0, %b, %q;",
    ];
    for place in all_places() {
        let seen = outcomes(place, threads);
        assert!(seen.iter().all(|&(own, _)| own == 0), "{seen:?}");
    }
    let twice = [
        "st.SPACE.u32 [%x], 1;\nst.SPACE.u32 [%x], 2;",
        "ld.relaxed.gpu.SPACE.u32 %a, [%x];\nld.relaxed.gpu.SPACE.u32 %b, [%x];",
    ];
    for place in all_places() {
        let seen = outcomes(place, twice);
        assert!(seen.iter().all(|(first, second)| first <= second), "{seen:?}");
        assert!(seen.len() > 2, "{seen:?}");
    }
}

#[test]
fn shuffles_order_no_memory_and_warp_barriers_do() {
    let shuffle = |order: &str| {
        let first = format!("st.SPACE.u32 [%x], 1;\n{order}");
        let second = format!("{order}\nld.SPACE.u32 %a, [%x];");
        outcomes(Place::Lanes, [&first, &second])
    };
    let by_shuffle = shuffle("shfl.sync.idx.b32 %b, %b, 0, 31, 3;");
    assert_eq!(by_shuffle, BTreeSet::from([(0, 0), (1, 0)]), "the store may be late");
    assert_eq!(shuffle("bar.warp.sync 3;"), BTreeSet::from([(1, 0)]));
    assert_eq!(shuffle("barrier.sync 1;"), BTreeSet::from([(1, 0)]));
}
