//! Matrix instructions.

use warpvm_ptx::tree::Instruction;

use super::LowerError;
use super::body::Body;

impl<'a> Body<'_, 'a> {
    pub fn tensor(&mut self, _i: &'a Instruction) -> Result<(), LowerError> {
        Err(self.unsupported_form())
    }
}
