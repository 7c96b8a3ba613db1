//! Which instruction comes after which, for deciding who is behind when lanes wait for each other.

use warpvm_machine::lower::cfg::post_dominators;
use warpvm_machine::program::{Inst, Kind, Pc, Program};

/// The control flow of one function.
struct Function {
    start: Pc,
    successors: Vec<Vec<usize>>,
    meets: Vec<Option<usize>>,
}

/// The control flow of a program, looked at function by function.
pub(crate) struct Flow<'a> {
    program: &'a Program,
    known: Vec<Option<Function>>,
}

impl<'a> Flow<'a> {
    pub fn new(program: &'a Program) -> Self {
        Flow { program, known: (0..program.functions.len()).map(|_| None).collect() }
    }

    /// Do lanes at `a` have yet to come to where lanes at `b` are? Both are given with the calls that led there, the
    /// outermost first.
    pub fn is_behind(&mut self, a: &[Pc], b: &[Pc]) -> bool {
        let differ = a.iter().zip(b).find(|(x, y)| x != y);
        let Some((&x, &y)) = differ else { return false };
        let Some(f) = self.function_of(x).filter(|f| Some(*f) == self.function_of(y)) else { return false };
        let program = self.program;
        let flow = self.known[f].get_or_insert_with(|| Function::new(program, f));
        let (x, y) = ((x - flow.start) as usize, (y - flow.start) as usize);
        flow.always_leads(x, y) || flow.may_lead(x, y) && !flow.may_lead(y, x)
    }

    fn function_of(&self, pc: Pc) -> Option<usize> {
        self.program.functions.iter().position(|f| f.start <= pc && pc < f.end)
    }
}

impl Function {
    fn new(program: &Program, index: usize) -> Self {
        let f = &program.functions[index];
        let code = &program.code[f.start as usize..f.end as usize];
        let successors: Vec<Vec<usize>> = code
            .iter()
            .enumerate()
            .map(|(i, inst)| {
                let inside = |to: &usize| *to < code.len();
                successors(inst, i, f.start).into_iter().filter(inside).collect()
            })
            .collect();
        let meets = post_dominators(&successors);
        Function { start: f.start, successors, meets }
    }

    /// Does every way from `x` lead through `y`?
    fn always_leads(&self, x: usize, y: usize) -> bool {
        std::iter::successors(self.meets[x], |&n| self.meets[n]).any(|n| n == y)
    }

    /// Does a way lead from `x` to `y`?
    fn may_lead(&self, x: usize, y: usize) -> bool {
        let mut seen = vec![false; self.successors.len()];
        let mut open = self.successors[x].clone();
        while let Some(node) = open.pop() {
            if node == y {
                return true;
            }
            if !std::mem::replace(&mut seen[node], true) {
                open.extend(&self.successors[node]);
            }
        }
        false
    }
}

/// The branches that decide directly whether an instruction runs: from one of the two ways on it always does, from the other it
/// need not.
pub(crate) fn deciders(program: &Program, pc: Pc) -> Vec<Pc> {
    let Some(index) = program.functions.iter().position(|f| f.start <= pc && pc < f.end) else { return Vec::new() };
    let flow = Function::new(program, index);
    let at = (pc - flow.start) as usize;
    let leads = |from: usize| from == at || flow.always_leads(from, at);
    let decides = |b: &usize| flow.successors[*b].len() > 1 && !flow.always_leads(*b, at);
    let found = (0..flow.successors.len()).filter(decides).filter(|b| flow.successors[*b].iter().any(|s| leads(*s)));
    found.map(|b| flow.start + b as Pc).collect()
}

/// Where an instruction leads to, counted from the start of its function. Lanes that leave at a guarded exit are left
/// out: the question is about those that stay.
pub(crate) fn successors(inst: &Inst, at: usize, start: Pc) -> Vec<usize> {
    let next = at + 1;
    let mut to = match &inst.kind {
        Kind::Branch { target, .. } => vec![(*target - start) as usize],
        Kind::BranchIndexed { targets, .. } => targets.iter().map(|t| (*t - start) as usize).collect(),
        Kind::Exit | Kind::Return | Kind::Trap => vec![],
        _ => return vec![next],
    };
    if inst.guard.is_some() {
        to.push(next);
    }
    to
}
