//! The recorded answers of a GPU for matrix multiplication, bit for bit.

mod generate;
mod input;
mod recorded;
mod wg;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use generate::{Kind, Mode, Operand, sum_term};
use serde_json::Value;
use std::io::BufRead;
use warpvm_isa::{Modifier, Opcode, Word};
use warpvm_sem::Form;
use warpvm_sem::tensor::Mma;

fn modifiers(text: &str) -> (Opcode, Vec<Modifier>) {
    let mut words = text.split('.');
    let opcode = Opcode::from_text(words.next().unwrap()).unwrap();
    let shape = |w: &str| {
        let w = w.strip_prefix('m')?;
        let (m, rest) = w.split_once('n')?;
        let (n, k) = rest.split_once('k').unwrap_or((rest, "0"));
        Some(Modifier::Shape { m: m.parse().ok()?, n: n.parse().ok()?, k: k.parse().ok()? })
    };
    let list = words
        .map(|w| shape(w).or_else(|| Word::from_text(w).map(Modifier::Word)).unwrap_or_else(|| panic!("{w}")))
        .collect();
    (opcode, list)
}

#[test]
fn arith() {
    let Ok(path) = std::env::var("TENSOR_ALL") else { return };
    let only = std::env::var("ONLY").unwrap_or_default();
    let limit: usize = std::env::var("NGROUPS").map_or(16, |x| x.parse().unwrap());
    let (mut good, mut all) = (0, 0);
    for line in std::io::BufReader::new(std::fs::File::open(path).unwrap()).lines() {
        let row: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let id = row["id"].as_str().unwrap();
        if !id.contains(&only) || !id.starts_with("mma.") {
            continue;
        }
        let (opcode, list) = modifiers(id.split('#').next().unwrap());
        let form = Form { opcode, modifiers: &list, selectors: &[], negated: &[], operands: 4 };
        let Some(mma) = Mma::from_form(&form) else {
            println!("NONE {id}");
            continue;
        };
        let types: Vec<&str> = id
            .split('.')
            .filter(|w| warpvm_sem::tensor::Element::from_word(Word::from_text(w).unwrap_or(Word::Sync)).is_some())
            .collect();
        let kinds: Vec<Kind> = types.iter().map(|t| Kind::of(t)).collect();
        let get = |k: &str| row[k].as_u64().unwrap();
        let (seed, per, groups, dumped) = (get("seed"), get("per"), get("groups") as usize, get("dumped"));
        let sums = BASE64_STANDARD.decode(row["sums"].as_str().unwrap()).unwrap();
        let dump = BASE64_STANDARD.decode(row["dump"].as_str().unwrap()).unwrap();
        let (mut ok, mut n, mut shown) = (0, 0, 0);
        for group in 0..groups.min(limit) {
            let mut kept: Vec<(u64, usize, usize, u64, u64)> = vec![];
            let mut sum = 0u64;
            let mut flags: std::collections::BTreeMap<String, usize> = Default::default();
            for i in 0..per {
                let tile = group as u64 * per + i;
                let mode = Mode::new(seed, tile);
                let rows = |count: usize, f: &dyn Fn(usize, usize) -> u64| -> Vec<[u64; 32]> {
                    (0..count).map(|r| std::array::from_fn(|l| f(r, l))).collect()
                };
                let a = rows(mma.a().count, &|r, l| mode.multiplicand(kinds[1], Operand::A, r, l));
                let b = rows(mma.b().count, &|r, l| mode.multiplicand(kinds[2], Operand::B, r, l));
                let c = rows(mma.c().count, &|r, l| mode.accumulator(kinds[3], kinds[1], kinds[2], r, l));
                let mut d = vec![[0; 32]; mma.d().count];
                mma.run(&a, &b, &c, &mut d);
                if std::env::var("FLAGSX").is_ok() {
                    for (r, row) in d.iter().enumerate() {
                        for (l, v) in row.iter().enumerate() {
                            let e = (*v >> 23) & 255;
                            let f = v & 0x7fffff;
                            let k = if e == 255 {
                                if f == 0 { "inf" } else { "nan" }
                            } else if e == 0 {
                                if f == 0 { "zero" } else { "sub" }
                            } else if e == 254 {
                                "top"
                            } else if e < 4 {
                                "low"
                            } else {
                                "mid"
                            };
                            let ec = (c[r][l] >> 23) & 255;
                            let kc = if c[r][l] & 0x7fffffff == 0 {
                                "zero"
                            } else if ec == 255 {
                                "special"
                            } else if ec == 0 {
                                "sub"
                            } else {
                                "norm"
                            };
                            *flags
                                .entry(
                                    format!("{k} c {kc} class {mode:.0?}")
                                        .split(", width")
                                        .next()
                                        .unwrap()
                                        .replace(&format!("{}", mode.key), ""),
                                )
                                .or_default() += 1;
                        }
                    }
                }
                for (r, row) in d.iter().enumerate() {
                    for (l, v) in row.iter().enumerate() {
                        sum = sum.wrapping_add(sum_term(tile, r, l, *v));
                        kept.push((tile, r, l, *v, c[r][l]));
                        if tile < dumped {
                            let w = if types[0] == "f64" { 8 } else { 4 };
                            let at = ((tile as usize * d.len() + r) * 32 + l) * w;
                            let want = dump[at..at + w].iter().rev().fold(0u64, |x, b| x << 8 | u64::from(*b));
                            if want != *v && shown < 6 {
                                shown += 1;
                                println!(
                                    "  tile {tile} r {r} lane {l}: got {v:08x} want {want:08x} c {:08x} {mode:?}",
                                    c[r][l]
                                );
                            }
                        }
                    }
                }
            }
            if sum != u64::from_le_bytes(sums[group * 8..group * 8 + 8].try_into().unwrap()) && groups > 16 {
                println!("  bad group {group}");
                let want = u64::from_le_bytes(sums[group * 8..group * 8 + 8].try_into().unwrap()).wrapping_sub(sum);
                if std::env::var("FIND").is_ok() {
                    for &(tile, r, l, v, cv) in &kept {
                        let base = sum_term(tile, r, l, v);
                        for (name, new) in [
                            ("zero", 0),
                            ("-zero", 0x80000000u64),
                            ("inf", 0x7f800000),
                            ("-inf", 0xff800000),
                            ("nan", 0x7fffffff),
                            ("+1", v.wrapping_add(1)),
                            ("-1", v.wrapping_sub(1)),
                            ("sign", v ^ 0x80000000),
                            ("max", 0x7f7fffff),
                            ("-max", 0xff7fffff),
                            ("c", cv),
                            ("+2", v + 2),
                            ("-2", v.wrapping_sub(2)),
                            ("min", 0x00800000),
                            ("-min", 0x80800000),
                            ("1", 1),
                            ("-01", 0x80000001),
                        ] {
                            if sum_term(tile, r, l, new).wrapping_sub(base) == want {
                                println!(
                                    "  tile {tile} r {r} l {l} {v:08x} -> {name} {new:08x} c {cv:08x} {:?}",
                                    Mode::new(seed, tile)
                                );
                            }
                        }
                    }
                }
                for (k, v) in &flags {
                    println!("    {k} {v}");
                }
            }
            if std::env::var("FLAGS").is_ok()
                && sum == u64::from_le_bytes(sums[group * 8..group * 8 + 8].try_into().unwrap())
            {
                for (k, v) in flags {
                    println!("GOOD {k} {v}");
                }
            }
            n += 1;
            ok += usize::from(sum == u64::from_le_bytes(sums[group * 8..group * 8 + 8].try_into().unwrap()));
        }
        println!("{} {ok}/{n} {id}", if ok == n { "ok  " } else { "FAIL" });
        good += usize::from(ok == n);
        all += 1;
    }
    println!("{good} of {all}");
}
