//! The rows, read once, by opcode.

use super::row::{Form, Row};
use super::table;
use std::collections::HashMap;
use std::sync::LazyLock;
use warpvm_isa::{Modifier, Opcode};

static FORMS: LazyLock<HashMap<Opcode, Vec<Form>>> = LazyLock::new(|| {
    let mut forms: HashMap<Opcode, Vec<Form>> = HashMap::new();
    // A row that cannot be read is no form; a test reads them all.
    for form in table::rows().filter_map(|row| Form::compile(row).ok()) {
        forms.entry(form.opcode).or_default().push(form);
    }
    forms
});

/// Every form of an opcode.
pub(crate) fn of(opcode: Opcode) -> &'static [Form] {
    FORMS.get(&opcode).map_or(&[], Vec::as_slice)
}

/// The first row that these modifiers match, whatever the operands, version and target.
///
/// # Examples
/// ```
/// use warpvm_isa::{Opcode, Word};
/// let row = warpvm_ptx::known(Opcode::Add, &[Word::Sat.into(), Word::S32.into()]).unwrap();
/// assert_eq!(row.syntax, "add.sat.s32 d, a, b");
/// assert!(warpvm_ptx::known(Opcode::Add, &[Word::Sat.into(), Word::U32.into()]).is_none());
/// ```
pub fn known(opcode: Opcode, modifiers: &[Modifier]) -> Option<&'static Row> {
    of(opcode).iter().find(|form| super::matcher::bind(form, modifiers).is_ok()).map(|form| form.row)
}

/// Every row of the table, in order.
pub fn rows() -> impl Iterator<Item = &'static Row> {
    table::rows()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_can_be_read() {
        let complaint = |row| Form::compile(row).err().map(|error| format!("{}: {error}", row.syntax));
        let complaints: Vec<String> = table::rows().filter_map(complaint).collect();
        assert!(complaints.is_empty(), "{}", complaints.join("\n"));
    }

    #[test]
    fn every_opcode_has_a_row() {
        for &opcode in Opcode::ALL {
            assert!(!of(opcode).is_empty(), "{opcode}");
        }
    }
}
