use crate::generate::{Kind, Mode, Operand, sum_term};
use crate::input::{Instruction, bytes, number, text};
use serde_json::Value;
use std::io::BufRead;
use warpvm_isa::Word;
use warpvm_sem::tensor::*;

#[test]
fn wg() {
    let Ok(path) = std::env::var("TENSOR_ALL") else { return };
    let only = std::env::var("ONLY").unwrap_or_default();
    let limit: usize = std::env::var("NGROUPS").map_or(4, |x| x.parse().unwrap());
    let (mut good, mut all) = (0, 0);
    for line in std::io::BufReader::new(std::fs::File::open(path).unwrap()).lines() {
        let row: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let id = text(&row, "id");
        if !id.contains(&only) || !id.starts_with("wgmma") { continue; }
        let instruction = Instruction::parse(id.split('#').next().unwrap());
        let Some(w) = Wgmma::from_form(&instruction.form()) else { println!("NONE {id}"); continue };
        let types: Vec<&str> = id.split(['.', '#']).filter(|w| Element::from_word(Word::from_text(w).unwrap_or(Word::Sync)).is_some()).collect();
        let kinds: Vec<Kind> = types.iter().map(|t| Kind::of(t)).collect();
        let (seed, per, groups, dumped) = (number(&row, "seed"), number(&row, "per"), number(&row, "groups") as usize, number(&row, "dumped"));
        let sums = bytes(&row["sums"]);
        let dump = bytes(&row["dump"]);
        let tail: Vec<i64> = text(&row, "tail").split(',').filter_map(|x| x.trim().parse().ok()).collect();
        let areg = row["areg"].as_u64().unwrap() != 0;
        let n: usize = id.split("m64n").nth(1).unwrap().split('k').next().unwrap().parse().unwrap();
        let sign = |i: usize| if tail.get(i) == Some(&-1) { Sign::Minus } else { Sign::Plus };
        let major = |i: usize| if tail.get(i) == Some(&1) { Major::Mn } else { Major::K };
        let (mut ok, mut total, mut shown) = (0, 0, 0);
        for group in 0..groups.min(limit) {
            let mut sum = 0u64;
            for i in 0..per {
                let tile = group as u64 * per + i;
                let mode = Mode::new(seed, tile);
                let mut memory = vec![0u32; 1024 + n * 8];
                for w in 0..512 { memory[w] = mode.multiplicand(kinds[1], Operand::A, w >> 5, w & 31) as u32; }
                for w in 0..n * 8 { memory[1024 + w] = mode.multiplicand(kinds[2], Operand::B, w >> 5, w & 31) as u32; }
                let shared = |address: u32| -> [u8; 16] { std::array::from_fn(|i| (memory[(address as usize + i) / 4] >> (i % 4 * 8)) as u8) };
                let rows = |count: usize, f: &dyn Fn(usize, usize) -> u64| -> Vec<WarpgroupRegister> {
                    (0..count).map(|r| std::array::from_fn(|w| std::array::from_fn(|l| f(r, w * 32 + l)))).collect()
                };
                let a = rows(4, &|r, l| mode.multiplicand(kinds[1], Operand::A, 32 + r, l));
                let mut d = rows(w.d().count, &|r, l| mode.accumulator(kinds[0], kinds[1], kinds[2], r, l));
                let c = d.clone();
                let operands = WgmmaOperands {
                    a: if areg { Left::Registers(&a) } else { Left::Shared { descriptor: 8 << 16 | 16 << 32, major: major(2) } },
                    b: 256 | 8 << 16 | 16 << 32,
                    b_major: if areg { major(2) } else { major(3) },
                    accumulate: if (mode.key >> 63 | mode.key >> 62) & 1 != 0 { Accumulate::FromD } else { Accumulate::FromZero },
                    a_sign: sign(0),
                    b_sign: sign(1),
                };
                w.run(&operands, &shared, &mut d);
                for (r, row) in d.iter().enumerate() {
                    for (l, v) in row.iter().flatten().enumerate() {
                        sum = sum.wrapping_add(sum_term(tile, r, l, *v));
                        if tile < dumped {
                            let at = ((tile as usize * d.len() + r) * 128 + l) * 4;
                            let want = dump[at..at + 4].iter().rev().fold(0u64, |x, b| x << 8 | u64::from(*b));
                            if want != *v && shown < 6 {
                                shown += 1;
                                println!("  tile {tile} r {r} lane {l}: got {v:08x} want {want:08x} c {:08x} {:?} {mode:?}", c[r][l / 32][l % 32], operands.accumulate);
                            }
                        }
                    }
                }
            }
            total += 1;
            ok += usize::from(sum == u64::from_le_bytes(sums[group * 8..group * 8 + 8].try_into().unwrap()));
        }
        println!("{} {ok}/{total} {id}", if ok == total { "ok  " } else { "FAIL" });
        good += usize::from(ok == total);
        all += 1;
    }
    println!("{good} of {all}");
}
