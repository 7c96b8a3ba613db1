//! Names as the source spells them: C++ compilers mangle those of kernels, functions and variables.

use std::borrow::Cow;

use cpp_demangle::{DemangleOptions, Symbol};

/// A name as the source spells it, with the parameters of a function; `None` where it is not a mangled one.
pub fn spelled(name: &str) -> Option<String> {
    demangled(name, DemangleOptions::new().no_return_type())
}

fn demangled(name: &str, options: DemangleOptions) -> Option<String> {
    if !name.starts_with("_Z") {
        return None;
    }
    Symbol::new(name).ok()?.demangle_with_options(&options).ok()
}

/// A name for a sentence: a variable of a function goes by its own name.
fn short(name: &str) -> Option<String> {
    let spelled = spelled(name)?;
    let local = name.starts_with("_ZZ").then(|| spelled.rsplit("::").next().map(str::to_owned)).flatten();
    Some(local.unwrap_or(spelled))
}

/// A text with the names in it as the source spells them.
pub fn readable(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut done = 0;
    for (start, _) in text.match_indices("_Z") {
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.';
        if start < done || text[..start].ends_with(is_part) {
            continue;
        }
        let len = text[start..].find(|c| !is_part(c)).unwrap_or(text.len() - start);
        if let Some(name) = short(&text[start..start + len]) {
            out.push_str(&text[done..start]);
            out.push_str(&name);
            done = start + len;
        }
    }
    if done == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(&text[done..]);
    Cow::Owned(out)
}

/// The names that somebody may mean by `wanted`: the name itself, or else those that are spelled so in the source, with
/// or without parameters, template arguments and namespaces.
pub fn meant<'a>(names: &'a [String], wanted: &str) -> Vec<&'a str> {
    if let Some(name) = names.iter().find(|name| *name == wanted) {
        return vec![name];
    }
    let squeezed = |text: &str| text.split_whitespace().collect::<String>();
    let wanted = squeezed(wanted);
    let is_meant = |name: &&String| {
        let full = spelled(name);
        let plain = demangled(name, DemangleOptions::new().no_return_type().no_params());
        let bare = plain.as_deref().map(|p| without_arguments(p).to_owned());
        [full, plain, bare].into_iter().flatten().any(|form| {
            let form = squeezed(&form);
            form == wanted || form.strip_suffix(&wanted).is_some_and(|outer| outer.ends_with("::"))
        })
    };
    names.iter().filter(is_meant).map(String::as_str).collect()
}

/// `ns::scale` of `ns::scale<float>`.
fn without_arguments(name: &str) -> &str {
    if !name.ends_with('>') {
        return name;
    }
    let mut depth = 0;
    let start = name.char_indices().rev().find(|(_, c)| {
        depth += i32::from(*c == '>') - i32::from(*c == '<');
        depth == 0
    });
    start.map_or(name, |(at, _)| &name[..at])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCALE: &str = "_ZN2ns5scaleIfEEvPT_S1_";

    #[test]
    fn names_are_spelled_as_in_the_source() {
        assert_eq!(spelled(SCALE).as_deref(), Some("ns::scale<float>(float*, float)"));
        assert_eq!(spelled("vote"), None);
        let text = "lane 0 reads `_ZZN2ns5scaleIfEEvPT_S1_E3buf`+0x84 in `_Z4initPi`";
        assert_eq!(readable(text), "lane 0 reads `buf`+0x84 in `init(int*)`");
        assert_eq!(readable("a_Z4initPi and _Zzz"), "a_Z4initPi and _Zzz");
    }

    #[test]
    fn kernels_go_by_any_spelling_that_tells_them_apart() {
        let names = [SCALE, "_ZN2ns5scaleIiEEvPT_S1_", "vote", "_Z4initPi"].map(str::to_owned);
        assert_eq!(meant(&names, "vote"), ["vote"]);
        assert_eq!(meant(&names, "init"), ["_Z4initPi"]);
        assert_eq!(meant(&names, "scale<float>"), [SCALE]);
        assert_eq!(meant(&names, "ns::scale<float>(float *, float)"), [SCALE]);
        assert_eq!(meant(&names, "ns::scale").len(), 2);
        assert!(meant(&names, "cale").is_empty());
    }
}
