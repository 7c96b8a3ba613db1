//! `--save NAME=FILE`: a buffer as `.npy`, or as raw little-endian bytes in a `.bin` or `.raw` file.

use super::{Held, find};
use crate::{Result, npy};
use std::fs;
use std::path::Path;
use warpvm_report::Diagnostic;

/// `NAME=REST` taken apart.
///
/// # Errors
/// There is no `=`.
pub fn split<'a>(text: &'a str, option: &str, rest: &str) -> Result<(&'a str, &'a str)> {
    text.split_once('=').filter(|(name, rest)| !name.is_empty() && !rest.is_empty()).ok_or_else(|| {
        Box::new(Diagnostic::invalid(format!("{option} expects BUFFER={rest}, e.g. {option} out={rest}, not `{text}`")))
    })
}

/// Saves a buffer as the option says.
///
/// # Errors
/// No such buffer, an unknown kind of file, or a file that cannot be written.
pub fn save(buffers: &[Held], option: &str) -> Result<()> {
    let (name, path) = split(option, "--save", "result.npy")?;
    let buffer = find(buffers, name)?;
    let path = Path::new(path);
    let content = match path.extension().and_then(|end| end.to_str()) {
        Some("npy") => npy::write(buffer.ty, &buffer.data),
        Some("bin" | "raw") => buffer.data.clone(),
        _ => return Err(Box::new(Diagnostic::invalid(format!("`{}` must end in .npy, .bin or .raw", path.display())))),
    };
    fs::write(path, content)
        .map_err(|error| Box::new(Diagnostic::invalid(format!("cannot write `{}`: {error}", path.display()))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::Direction;
    use crate::element::ElementType;

    #[test]
    fn a_saved_buffer_is_read_again() {
        let ty = ElementType::from_name("f32").expect("a type");
        let data = vec![0, 0, 128, 63, 0, 0, 0, 64];
        let buffers = [Held { index: 0, name: "out".into(), direction: Direction::Out, ty, data: data.clone() }];
        let path = std::env::temp_dir().join(format!("warpvm-{}-save.npy", std::process::id()));
        save(&buffers, &format!("out={}", path.display())).expect("writable");
        let array = npy::read(&fs::read(&path).expect("written")).expect("good");
        fs::remove_file(&path).expect("there");
        assert_eq!((array.ty, array.data), (ty, data));
        assert!(save(&buffers, "out").expect_err("no file").message.contains("expects BUFFER="));
        assert!(save(&buffers, "out=x.txt").expect_err("unknown").message.contains("must end in"));
        assert!(save(&buffers, "sum=x.npy").is_err());
    }
}
