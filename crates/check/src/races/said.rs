//! Words of shared memory about which reads of a phase have said all that there is to say.
//!
//! Of a tile that all warps read, the words are read by two of them soon, and each names an event that stands for all reads of
//! the phase ([`super::events::Event::of_two`]): further reads change nothing. Which words were found to be so is kept as a
//! few spans, so that the words themselves need not be looked at again.

use super::clock::Clock;

/// Spans that are kept: tiles are rarely more at a time.
const SPANS: usize = 4;

/// See the module.
#[derive(Default)]
pub(super) struct Said {
    /// The time of the phase.
    clock: Clock,
    /// First byte and end of each.
    spans: [(u64, u64); SPANS],
    /// The one that goes next.
    oldest: usize,
}

impl Said {
    /// Is it known of these bytes, in the phase of this time?
    #[inline]
    pub fn covers(&self, clock: Clock, low: u64, end: u64) -> bool {
        self.clock == clock && self.spans.iter().any(|s| s.0 <= low && end <= s.1)
    }

    /// It was found to be so of these bytes.
    pub fn add(&mut self, clock: Clock, low: u64, end: u64) {
        if self.clock != clock {
            *self = Said { clock, ..Said::default() };
        }
        let near = self.spans.iter_mut().find(|s| s.0 < s.1 && s.0 <= end && low <= s.1);
        if let Some(span) = near {
            *span = (span.0.min(low), span.1.max(end));
            return;
        }
        self.spans[self.oldest] = (low, end);
        self.oldest = (self.oldest + 1) % SPANS;
    }

    /// Something else than reads of words came to some of them.
    #[inline]
    pub fn clear(&mut self) {
        self.clock = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_grow_and_end_with_their_phase() {
        let mut said = Said::default();
        assert!(!said.covers(1, 0, 4));
        said.add(1, 64, 128);
        said.add(1, 128, 192);
        said.add(1, 1024, 1088);
        assert!(said.covers(1, 64, 192) && said.covers(1, 1028, 1032));
        assert!(!said.covers(1, 60, 64) && !said.covers(1, 192, 1024) && !said.covers(2, 64, 128));
        (0..4).for_each(|i| said.add(1, 4096 + 128 * i, 4160 + 128 * i));
        assert!(!said.covers(1, 64, 192) && said.covers(1, 4096, 4160));
        said.add(2, 0, 4);
        assert!(!said.covers(2, 4096, 4160) && said.covers(2, 0, 4));
        said.clear();
        assert!(!said.covers(2, 0, 4));
    }
}
