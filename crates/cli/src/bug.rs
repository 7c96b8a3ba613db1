//! Panics are bugs of this program; they are told as such, with what to report, and never as a fault of the kernel.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook};
use std::sync::Mutex;
use warpvm_report::{Diagnostic, Kind, NoteKind};

thread_local! {
    /// What the last panic of this thread said.
    static HERE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// What the last panic of any thread said: the machine runs on threads of its own.
static ANYWHERE: Mutex<Option<String>> = Mutex::new(None);

/// What the standard library says about a panic in a thread that was waited for; the cause is remembered already.
const JOINED: &str = "a scoped thread panicked";

/// From now on a panic prints nothing, but is remembered for [`guard`].
pub fn remember_panics() {
    set_hook(Box::new(|info| {
        let text = describe(info);
        if text.contains(JOINED) {
            return;
        }
        if let Ok(mut last) = ANYWHERE.lock() {
            *last = Some(text.clone());
        }
        HERE.with(|last| *last.borrow_mut() = Some(text));
    }));
}

fn describe(info: &PanicHookInfo<'_>) -> String {
    let payload = info.payload();
    let message = payload.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let message = message.or_else(|| payload.downcast_ref::<String>().cloned()).unwrap_or_default();
    info.location().map_or(message.clone(), |place| format!("{message} ({}:{})", place.file(), place.line()))
}

/// Runs `work`; a panic in it, or in a thread that it waits for, becomes a diagnostic.
///
/// # Errors
/// `work` panicked.
pub fn guard<T>(work: impl FnOnce() -> T) -> crate::Result<T> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|_| {
        let here = HERE.with(|last| last.borrow_mut().take());
        let text = here.or_else(|| ANYWHERE.lock().ok().and_then(|mut last| last.take())).unwrap_or_default();
        let report = concat!(
            "this is a bug in warpvm; please report it with the command line and the module: ",
            env!("CARGO_PKG_REPOSITORY"),
            "/issues"
        );
        Box::new(Diagnostic::new(Kind::Bug, text).note(NoteKind::Help, report))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_bug_of_ours() {
        assert_eq!(guard(|| 5), Ok(5));
        remember_panics();
        let bug = guard(|| panic!("no {}", "more")).expect_err("panics");
        assert_eq!(bug.kind, Kind::Bug);
        assert!(bug.message.starts_with("no more (") && bug.message.contains("bug.rs:"), "{}", bug.message);
        let bug = guard(|| {
            std::thread::scope(|scope| {
                scope.spawn(|| panic!("inside"));
            });
        })
        .expect_err("panics");
        assert!(bug.message.starts_with("inside"), "{}", bug.message);
        let _ = std::panic::take_hook();
    }
}
