//! Special registers (PTX ISA, chapter 10), parameters, and address arithmetic that knows the windows.

use warpvm_isa::SpecialRegister;

use super::{Context, Cta, Engine, Group};
use crate::memory::{CLUSTER_STRIDE, SHARED_BASE, Space, resolve_generic};
use crate::observe::Observer;
use crate::program::{AddressKind, AddressOp};
use crate::slots::{Class, LaneMask, Slot, lanes};

/// `%reserved_smem_offset_end` of the chip.
const RESERVED_END: u32 = 0x120;
/// What `%total_smem_size` is a multiple of.
const SMEM_UNIT: u32 = 128;

/// Bytes of the parameters as a number.
pub fn param(params: &[u8], offset: u32, len: u32, signed: bool) -> u64 {
    let mut bytes = [0; 8];
    let (offset, len) = (offset as usize, len.min(8) as usize);
    if let Some(found) = params.get(offset..offset + len) {
        bytes[..len].copy_from_slice(found);
    }
    let value = u64::from_le_bytes(bytes);
    if signed && len < 8 {
        let shift = 64 - 8 * len as u32;
        return ((value << shift) as i64 >> shift) as u64;
    }
    value
}

/// Does it differ between the CTAs of a launch? All others are the same for the same warp of every CTA.
pub fn changes_with_cta(register: SpecialRegister) -> bool {
    use SpecialRegister as S;
    matches!(
        register,
        S::CtaidX
            | S::CtaidY
            | S::CtaidZ
            | S::ClusteridX
            | S::ClusteridY
            | S::ClusteridZ
            | S::ClusterCtaidX
            | S::ClusterCtaidY
            | S::ClusterCtaidZ
            | S::ClusterCtarank
            | S::Smid
    )
}

/// A register of [`changes_with_cta`]: all lanes have the same.
pub fn of_cta(register: SpecialRegister, cx: &Context<'_>, cta: &Cta, warp: u32) -> u64 {
    use SpecialRegister as S;
    match register {
        S::CtaidX => u64::from(cta.id[0]),
        S::CtaidY => u64::from(cta.id[1]),
        S::CtaidZ => u64::from(cta.id[2]),
        _ => fixed(register, cx, cta, warp)[0],
    }
}

/// A dimension of the launch.
pub fn of_launch(register: SpecialRegister, cx: &Context<'_>) -> u64 {
    use SpecialRegister as S;
    let d = &cx.dimensions;
    u64::from(match register {
        S::NtidX => d.block[0],
        S::NtidY => d.block[1],
        S::NtidZ => d.block[2],
        S::NctaidX => d.grid[0],
        S::NctaidY => d.grid[1],
        S::NctaidZ => d.grid[2],
        _ => 0,
    })
}

/// A special register that does not change while a thread runs, for each lane.
pub fn fixed(register: SpecialRegister, cx: &Context<'_>, cta: &Cta, warp: u32) -> [u64; 32] {
    use SpecialRegister as S;
    let d = &cx.dimensions;
    let [bx, by, _] = d.block;
    let thread = |lane: usize| warp * 32 + lane as u32;
    let all = |v: u32| [u64::from(v); 32];
    let per_lane = |f: &dyn Fn(usize) -> u32| std::array::from_fn(|lane| u64::from(f(lane)));
    let cluster: [u32; 3] = std::array::from_fn(|i| cta.id[i] / d.cluster[i]);
    let in_cluster: [u32; 3] = std::array::from_fn(|i| cta.id[i] % d.cluster[i]);
    let clusters: [u32; 3] = std::array::from_fn(|i| d.grid[i].div_ceil(d.cluster[i]));
    match register {
        S::TidX => per_lane(&|l| thread(l) % bx),
        S::TidY => per_lane(&|l| thread(l) / bx % by),
        S::TidZ => per_lane(&|l| thread(l) / bx / by),
        S::NtidX => all(d.block[0]),
        S::NtidY => all(d.block[1]),
        S::NtidZ => all(d.block[2]),
        S::CtaidX => all(cta.id[0]),
        S::CtaidY => all(cta.id[1]),
        S::CtaidZ => all(cta.id[2]),
        S::NctaidX => all(d.grid[0]),
        S::NctaidY => all(d.grid[1]),
        S::NctaidZ => all(d.grid[2]),
        S::ClusteridX => all(cluster[0]),
        S::ClusteridY => all(cluster[1]),
        S::ClusteridZ => all(cluster[2]),
        S::NclusteridX => all(clusters[0]),
        S::NclusteridY => all(clusters[1]),
        S::NclusteridZ => all(clusters[2]),
        S::ClusterCtaidX => all(in_cluster[0]),
        S::ClusterCtaidY => all(in_cluster[1]),
        S::ClusterCtaidZ => all(in_cluster[2]),
        S::ClusterNctaidX => all(d.cluster[0]),
        S::ClusterNctaidY => all(d.cluster[1]),
        S::ClusterNctaidZ => all(d.cluster[2]),
        S::ClusterCtarank => all(cta.rank),
        S::ClusterNctarank => all(d.cluster.iter().product()),
        S::IsExplicitCluster => all(u32::from(cx.program.cluster.is_some() || d.cluster != [1, 1, 1])),
        S::Laneid => per_lane(&|l| l as u32),
        S::Warpid => all(warp),
        S::Nwarpid => all(64),
        S::Smid => all(cta.index % 132),
        S::Nsmid => all(132),
        S::LanemaskEq => per_lane(&|l| 1 << l),
        S::LanemaskLe => per_lane(&|l| (2u64 << l).wrapping_sub(1) as u32),
        S::LanemaskLt => per_lane(&|l| (1 << l) - 1),
        S::LanemaskGe => per_lane(&|l| !((1 << l) - 1)),
        S::LanemaskGt => per_lane(&|l| !((2u64 << l).wrapping_sub(1) as u32)),
        S::ReservedSharedOffsetEnd => all(RESERVED_END),
        S::ReservedSharedOffsetCap => all(crate::memory::SHARED_START),
        S::TotalSmemSize => {
            let used = cx.program.dynamic_shared_start - crate::memory::SHARED_START + cx.dynamic_shared;
            all(used.next_multiple_of(SMEM_UNIT))
        }
        S::AggrSmemSize => all(cta.shared.len() as u32),
        S::DynamicSmemSize => all(cx.dynamic_shared),
        _ => all(0),
    }
}

impl<O: Observer> Engine<'_, O> {
    /// Reads a special register that changes.
    pub(super) fn read_special(
        &mut self,
        group: &mut Group,
        w: usize,
        result: Slot,
        class: Class,
        register: SpecialRegister,
        mask: LaneMask,
    ) {
        use SpecialRegister as S;
        group.steps += 1;
        // Clocks move forward by more than a step at each read, so that two reads differ.
        let clock = if is_clock(register) { self.time.read(group.steps * 4) } else { 0 };
        let time = self.cx.started.elapsed().as_nanos() as u64 + 1_700_000_000_000_000_000;
        let events = &group.ctas[group.warps[w].cta].events;
        let value = match register {
            S::Clock => clock & 0xffff_ffff,
            S::ClockHi => clock >> 32,
            S::Clock64 => clock,
            S::Globaltimer => {
                if self.random.is_some() {
                    clock
                } else {
                    time
                }
            }
            S::GlobaltimerLo => (if self.random.is_some() { clock } else { time }) & 0xffff_ffff,
            S::GlobaltimerHi => (if self.random.is_some() { clock } else { time }) >> 32,
            S::Pm0 | S::Pm0X64 => events[0],
            S::Pm1 | S::Pm1X64 => events[1],
            S::Pm2 | S::Pm2X64 => events[2],
            S::Pm3 | S::Pm3X64 => events[3],
            S::Pm4 | S::Pm4X64 => events[4],
            S::Pm5 | S::Pm5X64 => events[5],
            S::Pm6 | S::Pm6X64 => events[6],
            S::Pm7 | S::Pm7X64 => events[7],
            _ => 0,
        };
        for lane in lanes(mask) {
            group.warps[w].regs.set(class, result, lane, value);
        }
    }

    /// `isspacep`, `mapa`, `getctarank`, and the address of a local variable.
    pub(super) fn address_op(&mut self, group: &mut Group, w: usize, op: &AddressOp, mask: LaneMask) {
        let own = group.ctas[group.warps[w].cta].rank;
        for lane in lanes(mask) {
            let warp = &mut group.warps[w];
            let a = warp.regs.get(op.source_class, op.source, lane);
            let (space, offset) = resolve_generic(a);
            let rank = if op.second.is_some() { warp.regs.row32(op.second)[lane] } else { 0 };
            let value = match op.op {
                AddressKind::IsShared => {
                    let owner = offset as u32 / CLUSTER_STRIDE;
                    u64::from(space == Space::Shared && (owner == 0 || owner - 1 == own))
                }
                AddressKind::IsSharedCluster => u64::from(space == Space::Shared),
                AddressKind::IsLocal => u64::from(space == Space::Local),
                // Parameters of a kernel are in the window of global memory (`sweep/space`).
                AddressKind::IsGlobal => {
                    u64::from(space == Space::Param || space == Space::Global && !self.is_const(a))
                }
                AddressKind::IsConst => u64::from(self.is_const(a)),
                AddressKind::IsParam => u64::from(space == Space::Param),
                AddressKind::MapaShared => map_rank(a, rank),
                AddressKind::MapaGeneric => SHARED_BASE + map_rank(offset, rank),
                AddressKind::RankShared => rank_of(a, own),
                AddressKind::RankGeneric => rank_of(offset, own),
                AddressKind::LocalVariable => a.wrapping_add(u64::from(warp.stack[lane])),
            };
            warp.regs.set(op.result_class, op.result, lane, value);
        }
    }

    /// Is the address in a `.const` variable?
    fn is_const(&self, address: u64) -> bool {
        self.cx.program.constants.iter().any(|r| r.contains(&address))
    }
}

/// How much later it is at each look at a clock that leaps: more than any time limit, in the low half as well.
const LEAP: u64 = 0x10_3000_0001;

/// How clocks go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Pace {
    /// With the instructions.
    #[default]
    Steady,
    /// Each look at one is long after the last.
    Leaping,
    /// Not at all, from a time on that is long after everything.
    Stopped,
}

/// The time that a seeded run tells.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Time {
    /// How clocks go.
    pub pace: Pace,
    /// Has one been read?
    pub is_read: bool,
    /// How far they are ahead of the instructions.
    ahead: u64,
}

impl Time {
    fn read(&mut self, steps: u64) -> u64 {
        self.is_read = true;
        match self.pace {
            Pace::Steady => self.ahead + steps,
            Pace::Leaping => {
                self.ahead += LEAP;
                self.ahead + steps
            }
            Pace::Stopped => self.ahead + (1 << 40),
        }
    }
}

/// Does the register tell the time?
fn is_clock(register: SpecialRegister) -> bool {
    use SpecialRegister as S;
    matches!(register, S::Clock | S::ClockHi | S::Clock64 | S::Globaltimer | S::GlobaltimerLo | S::GlobaltimerHi)
}

/// The same offset in the shared memory of the CTA with this rank.
fn map_rank(offset: u64, rank: u32) -> u64 {
    let within = offset % u64::from(CLUSTER_STRIDE);
    u64::from(CLUSTER_STRIDE) * (u64::from(rank) + 1) + within
}

/// The rank that an offset in the cluster's window belongs to.
fn rank_of(offset: u64, own: u32) -> u64 {
    match offset / u64::from(CLUSTER_STRIDE) {
        0 => u64::from(own),
        n => n - 1,
    }
}
