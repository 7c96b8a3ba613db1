//! The picture: one HTML file that needs nothing else.
//!
//! Rust puts the data into a template as JSON; `app.js` draws it. Traces travel as they are recorded: distinct runs, and
//! their order as numbers of variable length in base64. See `app.js` for how a long trace is drawn without stalling.

mod data;
mod finding;

pub use finding::PageFinding;

use warpvm_profile::Profile;

use crate::places::Places;

const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const DECODE: &str = include_str!("trace.js");
const TIMELINE: &str = include_str!("timeline.js");
const APP: &str = include_str!("app.js");

/// What a page shows.
pub struct Page<'a> {
    /// The counts and traces.
    pub profile: &'a Profile,
    /// Where the instructions stand.
    pub places: &'a Places,
    /// CTAs of the grid.
    pub grid: [u32; 3],
    /// Threads of a CTA.
    pub block: [u32; 3],
    /// The schedule, in words.
    pub schedule: String,
    /// What was found.
    pub findings: Vec<PageFinding>,
}

/// The page.
pub fn render(page: &Page<'_>) -> String {
    let title = format!(
        "{} · {}",
        crate::names::readable(&page.profile.map.program.entry),
        crate::profile_text::title(page.places)
    );
    // In a script element only `<` could end the element or open a comment.
    let data = data::json(page).to_string().replace('<', "\\u003c");
    let script = [DECODE, TIMELINE, APP].join("\n");
    let mut out = String::with_capacity(data.len() + 100_000);
    let mut rest = TEMPLATE;
    while let Some((before, after)) = rest.split_once("{{") {
        let (name, after) = after.split_once("}}").unwrap_or((after, ""));
        out.push_str(before);
        match name {
            "title" => out.push_str(&escape(&title)),
            "style" => out.push_str(STYLE),
            "data" => out.push_str(&data),
            "script" => out.push_str(&script),
            _ => {}
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
