//! Sizes of grids and blocks: `X`, `X,Y` or `X,Y,Z`; `x` may stand for the comma.

/// Reads a size.
///
/// # Errors
/// Says what was expected.
pub fn parse(text: &str) -> Result<[u32; 3], String> {
    const EXPECTED: &str = "expected X, X,Y or X,Y,Z, each at least 1";
    let parts: Vec<&str> = text.split([',', 'x']).map(str::trim).collect();
    if parts.len() > 3 {
        return Err(EXPECTED.to_owned());
    }
    let mut dims = [1; 3];
    for (dim, part) in dims.iter_mut().zip(parts) {
        *dim = part.parse().ok().filter(|&n| n > 0).ok_or(EXPECTED)?;
    }
    Ok(dims)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn one_to_three_numbers() {
        assert_eq!(parse("4"), Ok([4, 1, 1]));
        assert_eq!(parse("16x16"), Ok([16, 16, 1]));
        assert_eq!(parse("1, 2, 3"), Ok([1, 2, 3]));
        for wrong in ["", "0", "1,", "1,2,3,4", "-1", "a"] {
            assert!(parse(wrong).is_err(), "{wrong}");
        }
    }
}
