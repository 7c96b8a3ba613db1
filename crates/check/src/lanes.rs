//! A set of lanes, written as people write it: `0-3,17`.

use std::fmt;

/// Lanes of one warp, bit `i` for lane `i`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Lanes(pub u32);

impl Lanes {
    /// How many lanes there are.
    pub const fn count(self) -> u32 {
        self.0.count_ones()
    }

    /// Runs of neighbouring lanes as (first, last), in order.
    pub fn runs(self) -> impl Iterator<Item = (u32, u32)> {
        let mut rest = u64::from(self.0);
        let mut passed = 0;
        std::iter::from_fn(move || {
            if rest == 0 {
                return None;
            }
            let skip = rest.trailing_zeros();
            rest >>= skip;
            let length = rest.trailing_ones();
            rest >>= length;
            let first = passed + skip;
            passed = first + length;
            Some((first, first + length - 1))
        })
    }
}

impl fmt::Display for Lanes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (first, last)) in self.runs().enumerate() {
            if index > 0 {
                f.write_str(",")?;
            }
            match last - first {
                0 => write!(f, "{first}")?,
                _ => write!(f, "{first}-{last}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::Lanes;

    #[test]
    fn runs_are_written_with_a_dash_and_single_lanes_alone() {
        assert_eq!(Lanes(0x0002_000f).to_string(), "0-3,17");
        assert_eq!(Lanes(u32::MAX).to_string(), "0-31");
        assert_eq!(Lanes(0x8000_0001).to_string(), "0,31");
        assert_eq!(Lanes(0).to_string(), "");
    }
}
