//! The table of instruction forms, by chapter of the manual.

mod async_copy;
mod compare;
mod convert;
mod float;
mod integer;
mod matrix;
mod memory;
mod sync;
mod texture;
mod video;
mod warpgroup;

use super::row::Row;

/// Every row.
pub(super) fn rows() -> impl Iterator<Item = &'static Row> {
    let tables = [
        integer::ROWS,
        float::ROWS,
        compare::ROWS,
        memory::ROWS,
        convert::ROWS,
        sync::ROWS,
        video::ROWS,
        matrix::ROWS,
        async_copy::ROWS,
        warpgroup::ROWS,
        texture::ROWS,
    ];
    tables.into_iter().flatten()
}
