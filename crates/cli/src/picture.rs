//! Writing the picture of a launch.

use crate::Result;
use crate::launch::Launch;
use std::path::Path;
use warpvm::Schedule;
use warpvm::profiling::Profile;
use warpvm_machine::fault::Fault;
use warpvm_report::html::{Page, PageFinding, render};
use warpvm_report::{Diagnostic, Places};

/// What a picture is made of.
pub struct Picture<'a> {
    /// Counts and traces.
    pub profile: &'a Profile,
    /// Where the instructions stand.
    pub places: &'a Places,
    /// The launch.
    pub launch: &'a Launch,
    /// The schedule that ran.
    pub schedule: Schedule,
    /// What was found.
    pub diagnostics: &'a [Diagnostic],
    /// The fault that ended the launch: the first of the diagnostics.
    pub fault: Option<&'a Fault>,
}

impl Picture<'_> {
    /// The page.
    pub fn html(&self) -> String {
        let (profile, places) = (self.profile, self.places);
        let mut findings: Vec<PageFinding> =
            self.diagnostics.iter().map(|d| PageFinding::new(d, profile, places)).collect();
        if let (Some(fault), Some(first)) = (self.fault, findings.first_mut()) {
            *first = std::mem::take(first).with_fault(fault, profile);
        }
        let schedule = match self.schedule {
            Schedule::Fast => "fast schedule".to_owned(),
            Schedule::Seeded(seed) => format!("schedule of seed {seed}"),
        };
        render(&Page { profile, places, grid: self.launch.grid, block: self.launch.block, schedule, findings })
    }
}

/// Writes a file.
///
/// # Errors
/// It cannot be written.
pub fn write(path: &Path, text: &str) -> Result<()> {
    std::fs::write(path, text).map_err(|error| {
        Box::new(Diagnostic::invalid(format!("cannot write `{}`: {error}", path.display())))
    })
}
