//! The source of every decision of a seeded run: xoshiro256** seeded by splitmix64. The same seed gives the same
//! decisions on any machine.

/// How a seeded schedule treats lanes. `one_in` of 0 stands for never.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Temper {
    /// Most instructions that lanes run before others may.
    pub stretch: usize,
    /// How often lanes that run together are parted.
    pub part_one_in: usize,
    /// In how many pieces of a warp this ends.
    pub pieces: usize,
    /// How often lanes are held back until nobody else of their CTA can run.
    pub hold_one_in: usize,
    /// How often lanes leave the place where they are to meet others.
    pub leave_one_in: usize,
    /// How often lanes are parted before an `activemask`.
    pub apart_one_in: usize,
    /// How often a store is kept back.
    pub delay_one_in: usize,
    /// A store that is kept back becomes visible about once in so many turns.
    pub keep: usize,
}

impl Temper {
    /// Lanes stay together and run far.
    pub const CALM: Temper = Temper {
        stretch: 1 << 12,
        part_one_in: 0,
        pieces: 1,
        hold_one_in: 0,
        leave_one_in: 0,
        apart_one_in: 0,
        delay_one_in: 0,
        keep: 0,
    };

    /// That of a seed: calm for seed 0, which is a cheap first look; others take turns at running far and changing at
    /// every instruction, at keeping warps whole and tearing them apart, at letting all go on alike and holding some back.
    pub fn of_seed(seed: u64) -> Temper {
        if seed == 0 {
            return Temper::CALM;
        }
        let mut random = Random::new(seed ^ 0x7E39);
        let mut pick = |list: &[usize]| list[random.below(list.len())];
        Temper {
            stretch: pick(&[1, 2, 4, 8, 16, 64, 256, 1 << 12]),
            part_one_in: pick(&[0, 2, 4, 8, 16]),
            pieces: pick(&[2, 2, 3, 4, 8, 32]),
            hold_one_in: pick(&[0, 2, 8, 32]),
            leave_one_in: pick(&[0, 2, 8, 64]),
            apart_one_in: pick(&[1, 2, 2, 4]),
            delay_one_in: pick(&[0, 0, 1, 2, 8]),
            keep: pick(&[2, 8, 64]),
        }
    }
}

/// A stream of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Random {
    state: [u64; 4],
}

impl Random {
    /// The stream of a seed.
    pub fn new(seed: u64) -> Self {
        let mut z = seed;
        let state = std::array::from_fn(|_| {
            z = z.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut x = z;
            x = (x ^ x >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            x = (x ^ x >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
            x ^ x >> 31
        });
        Random { state }
    }

    /// The next 64 bits.
    pub fn next_u64(&mut self) -> u64 {
        let s = &mut self.state;
        let out = s[1].wrapping_mul(5).rotate_left(7).wrapping_mul(9);
        let t = s[1] << 17;
        s[2] ^= s[0];
        s[3] ^= s[1];
        s[1] ^= s[2];
        s[0] ^= s[3];
        s[2] ^= t;
        s[3] = s[3].rotate_left(45);
        out
    }

    /// A number below `n`; 0 where `n` is 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.next_u64()) * n as u128) >> 64) as usize
    }

    /// As [`Random::below`], but without a draw where there is no choice.
    pub fn below_few(&mut self, n: usize) -> usize {
        if n <= 1 { 0 } else { self.below(n) }
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
}
