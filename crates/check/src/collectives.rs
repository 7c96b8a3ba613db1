//! Warp collectives.

use crate::{Context, Part};

/// See the module.
pub(crate) struct Collectives;

impl Collectives {
    pub fn new(_cx: &Context) -> Self {
        Collectives
    }
}

impl Part for Collectives {}
