//! What a form needs of `.version` and `.target`, and what a module offers (PTX ISA, section 11.1).

use std::fmt;

/// The suffix of a target: which features it has beyond those of all later chips.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Suffix {
    /// `sm_90`
    Plain,
    /// `sm_100f`: features of this chip's family.
    Family,
    /// `sm_90a`: features of this very chip.
    Arch,
}

/// A target such as `sm_90a`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Target {
    pub sm: u16,
    pub suffix: Suffix,
}

/// The first version that knows a target, by suffix.
type Since = &'static [(Suffix, (u16, u16))];

/// Targets with the first version that knows them.
const TARGETS: &[(u16, Since)] = {
    use Suffix::*;
    &[
        (10, &[(Plain, (1, 0))]),
        (11, &[(Plain, (1, 0))]),
        (12, &[(Plain, (1, 2))]),
        (13, &[(Plain, (1, 2))]),
        (20, &[(Plain, (2, 0))]),
        (21, &[(Plain, (2, 0))]),
        (30, &[(Plain, (3, 0))]),
        (32, &[(Plain, (4, 0))]),
        (35, &[(Plain, (3, 1))]),
        (37, &[(Plain, (4, 1))]),
        (50, &[(Plain, (4, 0))]),
        (52, &[(Plain, (4, 1))]),
        (53, &[(Plain, (4, 2))]),
        (60, &[(Plain, (5, 0))]),
        (61, &[(Plain, (5, 0))]),
        (62, &[(Plain, (5, 0))]),
        (70, &[(Plain, (6, 0))]),
        (72, &[(Plain, (6, 1))]),
        (75, &[(Plain, (6, 3))]),
        (80, &[(Plain, (7, 0))]),
        (86, &[(Plain, (7, 1))]),
        (87, &[(Plain, (7, 4))]),
        (88, &[(Plain, (9, 0))]),
        (89, &[(Plain, (7, 8))]),
        (90, &[(Plain, (7, 8)), (Arch, (8, 0))]),
        (100, &[(Plain, (8, 6)), (Arch, (8, 6)), (Family, (8, 8))]),
        (101, &[(Plain, (8, 6)), (Arch, (8, 6)), (Family, (8, 8))]),
        (103, &[(Plain, (8, 8)), (Arch, (8, 8)), (Family, (8, 8))]),
        (110, &[(Plain, (9, 0)), (Arch, (9, 0)), (Family, (9, 0))]),
        (120, &[(Plain, (8, 7)), (Arch, (8, 7)), (Family, (8, 8))]),
        (121, &[(Plain, (8, 8)), (Arch, (8, 8)), (Family, (8, 8))]),
    ]
};

impl Target {
    /// The target with this spelling. Whether there is such a chip is another question.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix("sm_")?;
        let (digits, suffix) = match digits.as_bytes().last()? {
            b'a' => (&digits[..digits.len() - 1], Suffix::Arch),
            b'f' => (&digits[..digits.len() - 1], Suffix::Family),
            _ => (digits, Suffix::Plain),
        };
        Some(Target { sm: digits.parse().ok()?, suffix })
    }

    /// The first version that knows this target, if any does.
    pub fn since(self) -> Option<(u16, u16)> {
        let (_, suffixes) = TARGETS.iter().find(|(sm, _)| *sm == self.sm)?;
        suffixes.iter().find(|(suffix, _)| *suffix == self.suffix).map(|(_, since)| *since)
    }

    /// Chips with the same family-specific features.
    fn family(self) -> u16 {
        match self.sm {
            100 | 103 => 100,
            101 | 110 => 110,
            120 | 121 => 120,
            other => other,
        }
    }

    /// Does a chip of this target have what `wanted` names?
    pub fn offers(self, wanted: Target) -> bool {
        match wanted.suffix {
            Suffix::Plain => self.sm >= wanted.sm,
            Suffix::Arch => self == wanted,
            Suffix::Family => self.suffix != Suffix::Plain && self.family() == wanted.family() && self.sm >= wanted.sm,
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let suffix = match self.suffix {
            Suffix::Plain => "",
            Suffix::Family => "f",
            Suffix::Arch => "a",
        };
        write!(f, "sm_{}{suffix}", self.sm)
    }
}

/// One way to have a feature: a version and any one of some targets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    version: (u16, u16),
    targets: Vec<Target>,
    /// First version that no longer has it.
    until: Option<(u16, u16)>,
    /// First chip that no longer has it.
    below: Option<u16>,
}

/// What a feature needs: any one of its ways; nothing where there are none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Need(Vec<Way>);

/// What a module declares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Offer {
    pub version: (u16, u16),
    /// `None` where the module names no chip that is known.
    pub target: Option<Target>,
}

impl Need {
    /// Reads `8.6 sm_100a,sm_101a | 8.7 sm_120a`; `+` does for a blank and `/` for `|`.
    pub fn parse(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Need::default());
        }
        text.split(['|', '/']).map(Self::way).collect::<Option<Vec<Way>>>().map(Need)
    }

    /// `7.8 sm_90`, or `1.2 <6.4`: the first version without it.
    fn way(text: &str) -> Option<Way> {
        let mut way = Way { version: (1, 0), targets: Vec::new(), until: None, below: None };
        for part in text.split([' ', '+']).filter(|part| !part.is_empty()) {
            if let Some(sm) = part.strip_prefix("<sm_") {
                way.below = Some(sm.parse().ok()?);
            } else if let Some(version) = part.strip_prefix('<') {
                way.until = Some(parse_version(version)?);
            } else if part.starts_with("sm_") {
                way.targets = part.split(',').map(Target::parse).collect::<Option<_>>()?;
            } else {
                way.version = parse_version(part)?;
            }
        }
        Some(way)
    }

    /// Is there something to meet?
    pub fn is_some(&self) -> bool {
        !self.0.is_empty()
    }

    /// What is missing, as the end of a sentence: "needs ...".
    pub fn unmet(&self, offer: Offer) -> Option<String> {
        let has_target = |way: &&Way| match offer.target {
            Some(target) => {
                (way.targets.is_empty() || way.targets.iter().any(|&wanted| target.offers(wanted)))
                    && way.below.is_none_or(|below| target.sm < below)
                    && way.until.is_none_or(|until| offer.version < until)
            }
            None => true,
        };
        let on_target: Vec<&Way> = self.0.iter().filter(has_target).collect();
        if self.0.is_empty() || on_target.iter().any(|way| way.version <= offer.version) {
            return None;
        }
        if let Some(version) = on_target.iter().map(|way| way.version).min() {
            let (major, minor) = offer.version;
            return Some(format!("`.version` {}.{} or later, this module has {major}.{minor}", version.0, version.1));
        }
        if let Some(until) = self.0.iter().find_map(|way| way.until) {
            return Some(format!("a `.version` before {}.{} or an older `.target`", until.0, until.1));
        }
        let wanted: Vec<String> = self.0.iter().flat_map(|way| &way.targets).copied().map(describe).collect();
        let found = offer.target.map_or_else(String::new, |target| format!(", this module has `{target}`"));
        Some(format!("`.target` {}{found}", wanted.join(" or ")))
    }
}

fn parse_version(text: &str) -> Option<(u16, u16)> {
    let (major, minor) = text.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn describe(target: Target) -> String {
    match target.suffix {
        Suffix::Plain => format!("`{target}` or higher"),
        Suffix::Arch | Suffix::Family => format!("`{target}`"),
    }
}
