use warpvm::*;
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let m = Module::from_file(&p).unwrap();
    let k = m.kernel("k").unwrap();
    let mut seen = std::collections::BTreeMap::new();
    for s in 0..400u64 {
        let mut d = Device::new(&m).unwrap();
        let out = d.upload("o", &vec![0u8; 128]).unwrap();
        let i: Vec<u32> = (0..32).map(|i| (9 * i) % 32).collect();
        let inp = d.upload("i", &i).unwrap();
        d.launch(
            &k,
            [1, 1, 1],
            [32, 1, 1],
            &[Arg::Buffer(out), Arg::Buffer(inp), Arg::U32(20)],
            &Options { schedule: Schedule::Seeded(s), ..Default::default() },
        )
        .unwrap();
        *seen.entry(d.download::<u32>(out)).or_insert(0) += 1;
    }
    for (k, v) in seen {
        println!("{v} {k:?}");
    }
}
