//! Shuffles of all 32 lanes: a renaming of chunks and a permutation inside of them.

use super::*;

impl Emitter<'_> {
    pub(super) fn shuffle(&mut self, c: &Collective, b: usize) -> bool {
        let Some(distance) = butterfly(self.program, c) else { return false };
        if c.predicate.is_some() {
            let p = self.plan.by_slot[&c.predicate];
            self.set_predicate(p, b);
        }
        if !c.result.is_some() {
            return true;
        }
        let (d, a) = (self.plan.by_slot[&c.result], self.plan.read(c.sources[0]));
        let lanes = self.isa.lanes() as u32;
        let (far, near) = ((distance / lanes) as usize, distance % lanes);
        let order = (near != 0).then(|| self.constant_row(std::array::from_fn(|i| i as u32 ^ near)));
        // Where the result has the source's registers, all of it is read before any is written.
        let in_place = self.home[d].is_some() && self.home[d] == self.home[a] || d == a;
        let temps = [T1, T2, T3, T4];
        let mut from = Vec::new();
        for k in 0..self.width {
            let chunk = k ^ far;
            let r = if in_place {
                let r = self.in_register(a, chunk, temps[k], false);
                if r != temps[k] {
                    self.asm.v_load(temps[k], Rm::Reg(r));
                }
                temps[k]
            } else {
                self.in_register(a, chunk, T3, false)
            };
            if in_place {
                from.push(r);
                continue;
            }
            self.place_shuffled(d, k, b, r, order);
        }
        for (k, r) in from.into_iter().enumerate() {
            self.place_shuffled(d, k, b, r, order);
        }
        true
    }

    pub(super) fn place_shuffled(&mut self, d: ValueId, k: usize, b: usize, r: u8, order: Option<Mem>) {
        let to = self.home[d].map_or(r, |h| h + k as u8);
        match order {
            Some(order) if self.home[d].is_some() => {
                // The indices go where the result goes.
                self.asm.v_load(to, order);
                self.asm.v(VPERMD, to, to, Rm::Reg(r));
            }
            Some(order) => {
                let temp = if r == T3 { T1 } else { T3 };
                self.asm.v_load(temp, order);
                self.asm.v(VPERMD, temp, temp, Rm::Reg(r));
                self.finish(d, k, b, None, temp);
                return;
            }
            None => {}
        }
        let result = if order.is_some() { to } else { r };
        self.finish(d, k, b, None, result);
    }
}
