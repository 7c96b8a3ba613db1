//! Undefined values, by lane and bit.

use crate::{Context, Part};

/// See the module.
pub(crate) struct Values;

impl Values {
    pub fn new(_cx: &Context) -> Self {
        Values
    }
}

impl Part for Values {}
