//! How long values live, and which get vector registers.

use super::*;

impl Emitter<'_> {
    pub(super) fn find_lives(&mut self) {
        let plan = self.plan;
        for (pc, meta) in self.program.meta.iter().enumerate() {
            for (_, _, slot) in &meta.operands {
                self.cover(plan.by_slot[slot], pc as Pc, pc as Pc);
            }
        }
        for b in &plan.blocks {
            for &v in &b.live_in {
                self.cover(v, b.start, b.start);
            }
            for &v in &b.live_out {
                self.cover(v, b.end - 1, b.end - 1);
            }
        }
        // In a loop, lanes that have left it keep what others are about to compute again.
        loop {
            let old = self.life.clone();
            for b in &plan.blocks {
                for &s in &b.successors {
                    let (start, end) = (plan.blocks[s].start, b.end - 1);
                    if start > b.start {
                        continue;
                    }
                    for v in 0..self.life.len() {
                        let (first, last) = self.life[v];
                        let touches = first <= end && last >= start && first != Pc::MAX;
                        let crosses = first < start || last > end || plan.blocks[s].live_in.contains(&v);
                        if touches && crosses {
                            self.cover(v, start, end);
                        }
                    }
                }
            }
            if old == self.life {
                break;
            }
        }
    }

    pub(super) fn cover(&mut self, v: ValueId, first: Pc, last: Pc) {
        let life = &mut self.life[v];
        life.0 = life.0.min(first);
        life.1 = life.1.max(last);
    }

    /// Linear scan: the value with the least use for its length stays in memory. The mask of a block that is a loop by
    /// itself takes part.
    pub(super) fn assign_registers(&mut self) {
        let weights = self.weights();
        for v in 0..self.life.len() {
            let is_same = |pc: Pc| self.is_same_load(pc);
            self.same[v] = self.is_vector(v) && matches!(self.value(v).defs[..], [pc] if is_same(pc));
        }
        let mut items = Vec::new();
        for v in 0..self.life.len() {
            if self.is_vector(v) && self.life[v].0 != Pc::MAX {
                let after_sources = self.starts_as_result(v);
                // The first chunk's registers are read for all chunks: no result may take them before the last.
                let life = (self.life[v].0, self.life[v].1 + Pc::from(self.same[v]));
                items.push(Item { life, weight: weights[v], value: Ok(v), after_sources });
            }
        }
        for (b, block) in self.plan.blocks.iter().enumerate() {
            if self.is_lone_loop(b) {
                let weight = 4.0 * 10f64.powi(block.depth.min(6) as i32);
                items.push(Item { life: (block.start, block.end - 1), weight, value: Err(b), after_sources: false });
            }
        }
        items.sort_by_key(|i| i.life.0);
        let is_mask = |item: &Item| match item.value {
            Ok(v) => self.value(v).class == Class::Pred,
            Err(_) => true,
        };
        let (vectors, masks): (Vec<Item>, Vec<Item>) = match self.isa {
            Isa::Avx2 => (items, Vec::new()),
            Isa::Avx512 => items.into_iter().partition(|i| !is_mask(i)),
        };
        let files = [(vectors, 0, self.value_registers()), (masks, MASK_REGISTERS.0, MASK_REGISTERS.1)];
        for (items, first, count) in files {
            let places = scan(&items, count / self.width);
            for (item, place) in items.iter().zip(places) {
                let register = place.map(|g| (first + g * self.width) as u8);
                match item.value {
                    Ok(v) => self.home[v] = register,
                    Err(b) => self.mask_home[b] = register,
                }
            }
        }
        // In memory, every chunk has its own part of the row.
        (0..self.same.len()).for_each(|v| self.same[v] &= self.home[v].is_some());
    }

    /// Does the value's life start with its definition by a lane-wise operation?
    pub(super) fn starts_as_result(&self, v: ValueId) -> bool {
        let start = self.life[v].0;
        let meta = &self.program.meta[start as usize];
        let reads = meta.operands.iter().any(|(r, _, s)| *r == Role::Read && self.plan.by_slot[s] == v);
        matches!(&self.program.code[start as usize], crate::program::Inst { guard: None, kind: Kind::Row(_) })
            && self.value(v).defs.contains(&start)
            && !reads
            && !self.plan.blocks[self.plan.block_of[start as usize]].live_in.contains(&v)
    }

    /// Is the block a masked loop that lanes leave for the next block only, by operations that need no help? Those that
    /// enter it are all to run that one.
    pub(super) fn is_lone_loop(&self, b: usize) -> bool {
        let block = &self.plan.blocks[b];
        let Term::Branch { to, guard: Some(guard) } = block.term else { return false };
        to == b
            && block.masked
            && self.plan.parts(guard)
            && self.plan.blocks.get(b + 1).is_some_and(|n| n.masked || block.meet == Some(b + 1))
            && (block.start..block.end).all(|pc| {
                use Kind as K;
                matches!(
                    self.program.code[pc as usize].kind,
                    K::Row(_)
                        | K::Load(_)
                        | K::Store(_)
                        | K::Atomic(_)
                        | K::Branch { .. }
                        | K::Converge
                        | K::Nothing
                        | K::Fence(_)
                )
            })
    }

    /// How much each value gains by a register: uses, more in loops, by the length of its life.
    fn weights(&self) -> Vec<f64> {
        let mut uses = vec![0.0; self.life.len()];
        for (pc, meta) in self.program.meta.iter().enumerate() {
            let often = 10f64.powi(self.plan.blocks[self.plan.block_of[pc]].depth.min(6) as i32);
            for (_, _, slot) in &meta.operands {
                uses[self.plan.by_slot[slot]] += often;
            }
        }
        uses.iter().zip(&self.life).map(|(uses, life)| uses / f64::from(life.1 - life.0.min(life.1) + 2)).collect()
    }

    pub(super) fn find_raw(&mut self) {
        let mut shuffled = Vec::new();
        for inst in &self.program.code {
            if let Kind::Collective(c) = &inst.kind
                && c.sources[0].is_some()
            {
                shuffled.push(self.plan.read(c.sources[0]));
            }
        }
        for v in 0..self.life.len() {
            let value = self.value(v);
            self.raw[v] = self.is_vector(v)
                && !shuffled.contains(&v)
                && value.class == Class::R32
                && !self.plan.blocks[0].live_in.contains(&v)
                && !value.defs.is_empty()
                && value.defs.iter().all(|&pc| self.gives_number_or_raw(pc));
        }
    }

    /// Is the result a float operation's, or a constant that is no NaN?
    pub(super) fn gives_number_or_raw(&self, pc: Pc) -> bool {
        let inst = &self.program.code[pc as usize];
        let Kind::Row(op) = &inst.kind else { return false };
        match op.name {
            Some(name) if floats::gives_float(name) => inst.guard.is_none() && !op.slots[1].is_some(),
            Some(LaneOp::Copy) if inst.guard.is_none() => {
                self.plan.constant(self.plan.read(op.slots[2])).is_some_and(|c| c as u32 & 0x7fff_ffff <= 0x7f80_0000)
            }
            _ => false,
        }
    }

    /// Finds what a barrier has to write to rows: behind one, values are read from there.
    pub(super) fn find_changed(&mut self) {
        let plan = self.plan;
        let is_eager = |v: ValueId, pc: Pc| {
            let block = &plan.blocks[plan.block_of[pc as usize]];
            let has_row = self.value(v).class == Class::R32 && self.home[v].is_some();
            let is_read_in_loop = |stop: &Block| {
                matches!(stop.term, Term::Stop { barrier: true, .. })
                    && stop.depth > block.depth
                    && stop.live_in.contains(&v)
            };
            has_row
                && !block.masked
                && self.program.code[pc as usize].guard.is_none()
                && plan.blocks.iter().any(is_read_in_loop)
        };
        let results = |pc: Pc| plan.operands(self.program, pc, Role::Write).map(move |v| (v, pc));
        let written = |b: usize| {
            let all = (plan.blocks[b].start..plan.blocks[b].end).flat_map(results);
            all.filter(|&(v, pc)| !is_eager(v, pc)).map(|(v, _)| v)
        };
        let mut inside: Vec<BTreeSet<ValueId>> = vec![BTreeSet::new(); plan.blocks.len()];
        let mut todo: Vec<usize> = (0..plan.blocks.len()).rev().collect();
        while let Some(b) = todo.pop() {
            if matches!(plan.blocks[b].term, Term::Stop { barrier: true, .. }) {
                continue;
            }
            let out: Vec<ValueId> = inside[b].iter().copied().chain(written(b)).collect();
            for &s in &plan.blocks[b].successors {
                let before = inside[s].len();
                inside[s].extend(&out);
                if inside[s].len() > before {
                    todo.push(s);
                }
            }
        }
        self.eager = (0..self.program.code.len() as Pc)
            .flat_map(results)
            .filter(|&(v, pc)| is_eager(v, pc))
            .map(|(v, pc)| (pc, v))
            .collect();
        self.changed = inside;
    }

    pub(super) fn lay_out(&mut self) {
        let mask = (self.isa.mask_bytes() * self.width as i32).max(4);
        self.limit = self.take_stack(8);
        self.current = self.take_stack(mask);
        for b in 0..self.plan.blocks.len() {
            if self.plan.blocks[b].masked {
                self.pending[b] = self.take_stack(mask);
            }
        }
        for v in 0..self.life.len() {
            if self.is_vector(v) && self.value(v).class == Class::Pred {
                self.stack[v] = self.take_stack(mask);
            }
        }
        let mut bytes = 0;
        for v in 0..self.life.len() {
            if self.is_scalar(v) {
                self.stack[v] = bytes;
                bytes += 8 * self.scalar_count(v) as i32;
            }
        }
        self.scalar_frame = self.scalar_frame.max(bytes);
    }
}

/// Something that wants registers.
pub(super) struct Item {
    pub life: (Pc, Pc),
    pub weight: f64,
    /// A value, or the mask of a block.
    pub value: Result<ValueId, usize>,
    /// Is it made by an instruction that has read its sources by then?
    pub after_sources: bool,
}

/// Gives items, in the order of their starts, to `count` places.
pub(super) fn scan(items: &[Item], count: usize) -> Vec<Option<usize>> {
    let mut busy: Vec<Option<usize>> = vec![None; count];
    let mut places: Vec<Option<usize>> = vec![None; items.len()];
    for (n, item) in items.iter().enumerate() {
        for slot in &mut busy {
            let ends = |u: usize| items[u].life.1;
            if slot.is_some_and(|u| ends(u) < item.life.0 || ends(u) == item.life.0 && item.after_sources) {
                *slot = None;
            }
        }
        let place = busy.iter().position(Option::is_none).or_else(|| {
            let weight = |g: usize| busy[g].map_or(0.0, |u| items[u].weight);
            let worst = (0..busy.len()).min_by(|&a, &b| weight(a).total_cmp(&weight(b)))?;
            (weight(worst) < item.weight).then_some(worst)
        });
        if let Some(g) = place {
            if let Some(u) = busy[g].replace(n) {
                places[u] = None;
            }
            places[n] = Some(g);
        }
    }
    places
}
