//! Immediate post-dominators of a control-flow graph, where the lanes of a branch meet again.
//!
//! The graph has a virtual exit that every ending node leads to. A node that can never reach it (an endless loop) is
//! joined to it, so that every node has a post-dominator. The algorithm is Cooper, Harvey and Kennedy's.

/// The immediate post-dominator of each node; `None` for the virtual exit.
pub fn post_dominators(successors: &[Vec<usize>]) -> Vec<Option<usize>> {
    let exit = successors.len();
    let mut forward: Vec<Vec<usize>> = successors.to_vec();
    let mut backward = vec![Vec::new(); exit + 1];
    for (node, next) in forward.iter_mut().enumerate() {
        if next.is_empty() {
            next.push(exit);
        }
        for &to in next.iter() {
            backward[to].push(node);
        }
    }
    let mut order = Vec::with_capacity(exit + 1);
    let mut seen = vec![false; exit + 1];
    number(exit, &backward, &mut seen, &mut order);
    // Endless loops: join the first unreached node to the exit and number what reaches it.
    let mut extra = Vec::new();
    for node in (0..exit).rev() {
        if !seen[node] {
            forward[node].push(exit);
            backward[exit].push(node);
            let mut part = Vec::new();
            number(node, &backward, &mut seen, &mut part);
            extra.push(part);
        }
    }
    // Post-order of the reverse graph with the exit last.
    let root = order.pop();
    for part in extra {
        order.extend(part);
    }
    order.extend(root);
    let mut position = vec![0; exit + 1];
    for (i, &node) in order.iter().enumerate() {
        position[node] = i;
    }
    let mut idom: Vec<Option<usize>> = vec![None; exit + 1];
    idom[exit] = Some(exit);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().skip(1) {
            let mut best: Option<usize> = None;
            for &next in &forward[node] {
                if idom[next].is_some() {
                    best = Some(best.map_or(next, |b| intersect(b, next, &idom, &position)));
                }
            }
            if best.is_some() && idom[node] != best {
                idom[node] = best;
                changed = true;
            }
        }
    }
    (0..exit).map(|node| idom[node].filter(|&d| d != exit)).collect()
}

fn intersect(mut a: usize, mut b: usize, idom: &[Option<usize>], position: &[usize]) -> usize {
    while a != b {
        while position[a] < position[b] {
            a = idom[a].expect("numbered nodes have a dominator");
        }
        while position[b] < position[a] {
            b = idom[b].expect("numbered nodes have a dominator");
        }
    }
    a
}

/// Depth-first post-order over `edges` from `root`, without recursion.
fn number(root: usize, edges: &[Vec<usize>], seen: &mut [bool], order: &mut Vec<usize>) {
    let mut stack = vec![(root, 0)];
    seen[root] = true;
    while let Some((node, next)) = stack.pop() {
        match edges[node].get(next) {
            Some(&to) => {
                stack.push((node, next + 1));
                if !seen[to] {
                    seen[to] = true;
                    stack.push((to, 0));
                }
            }
            None => order.push(node),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::post_dominators;

    #[test]
    fn diamond_meets_below() {
        assert_eq!(post_dominators(&[vec![1, 2], vec![3], vec![3], vec![]]), [Some(3), Some(3), Some(3), None]);
    }

    #[test]
    fn loop_meets_at_its_exit() {
        assert_eq!(post_dominators(&[vec![1], vec![1, 2], vec![]]), [Some(1), Some(2), None]);
    }

    #[test]
    fn endless_loop_ends() {
        assert_eq!(post_dominators(&[vec![1, 2], vec![1], vec![]]).len(), 3);
    }
}
