//! The shape that the right side of a matrix product is packed into, and the tiles that it is computed in.

#[cfg(target_arch = "x86_64")]
use crate::lanes::{Lanes, fetch_ahead, for_rows};
#[cfg(target_arch = "x86_64")]
use crate::math;

/// How many columns lie together in a panel: for each step along the depth, one number of each.
pub(crate) const PANEL: usize = 32;
/// The most rows that a tile has at any level.
#[cfg(target_arch = "x86_64")]
pub(crate) const TILE_ROWS: usize = 12;
/// How far ahead of its use a panel is fetched, in bytes.
#[cfg(target_arch = "x86_64")]
pub(crate) const AHEAD: usize = 3 << 10;

/// What is done to each number of a matrix product, once the bias is added.
#[derive(Debug, Clone, Copy)]
pub enum Finish<'a> {
    /// Nothing.
    Plain,
    /// GELU.
    Gelu,
    /// The number at the same place of this matrix is added.
    Residual(&'a [f32]),
}

impl Finish<'_> {
    /// A residual must have as many numbers as the product.
    pub(crate) fn check(&self, numbers: usize) {
        if let Finish::Residual(residual) = self {
            assert_eq!(residual.len(), numbers, "the residual has another shape than the product");
        }
    }

    /// Of one number of the product.
    pub(crate) fn scalar(&self, at: usize, value: f32) -> f32 {
        match self {
            Finish::Plain => value,
            Finish::Gelu => crate::math::gelu_scalar(value),
            Finish::Residual(residual) => value + residual[at],
        }
    }
}

/// How many panels so many columns need.
pub(crate) fn panels(columns: usize) -> usize {
    columns.div_ceil(PANEL)
}

/// In which tiles so many rows are best computed: none larger than `most`, all about as large.
#[cfg(target_arch = "x86_64")]
pub(crate) fn tiles(rows: usize, most: usize) -> impl Iterator<Item = (usize, usize)> {
    let count = rows.div_ceil(most);
    (0..count).map(move |tile| {
        let from = rows * tile / count;
        (from, rows * (tile + 1) / count - from)
    })
}

/// The products of some rows and a panel: 32 sums for each row.
///
/// # Safety
/// The machine has the instructions; `rows` is from 1 to [`Lanes::ROWS`]; each row has `depth` floats, the rows are `stride`
/// apart; the panel has `32 * depth` floats; `sums` has 32 places for each row, `sums_stride` apart.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) unsafe fn float_tile<L: Lanes>(
    rows: usize,
    (input, stride): (*const f32, usize),
    depth: usize,
    panel: *const f32,
    (sums, sums_stride): (*mut f32, usize),
) {
    // SAFETY: the caller vouches for all of it.
    unsafe { for_rows!(rows, ROWS => tile_of::<L, ROWS>((input, stride), depth, panel, (sums, sums_stride))) }
}

/// # Safety
/// As for [`float_tile`].
#[cfg(target_arch = "x86_64")]
#[inline(always)]
unsafe fn tile_of<L: Lanes, const ROWS: usize>(
    (input, stride): (*const f32, usize),
    depth: usize,
    panel: *const f32,
    (sums, sums_stride): (*mut f32, usize),
) {
    // SAFETY: the caller vouches for the memory; two registers at a time pass over the panel's columns.
    unsafe {
        let mut column = 0;
        while column < PANEL {
            let mut left = [L::splat(0.0); ROWS];
            let mut right = [L::splat(0.0); ROWS];
            for step in 0..depth {
                let columns = panel.add(PANEL * step + column);
                fetch_ahead(columns, AHEAD);
                fetch_ahead(columns, AHEAD + 64);
                let (low, high) = (L::load(columns), L::load(columns.add(L::COUNT)));
                for row in 0..ROWS {
                    let value = L::splat(*input.add(row * stride + step));
                    left[row] = value.mul_add(low, left[row]);
                    right[row] = value.mul_add(high, right[row]);
                }
            }
            for row in 0..ROWS {
                let to = sums.add(row * sums_stride + column);
                left[row].store(to);
                right[row].store(to.add(L::COUNT));
            }
            column += 2 * L::COUNT;
        }
    }
}

/// Where a tile goes.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Target<'a> {
    /// The product's first number.
    pub(crate) output: *mut f32,
    /// How many columns the product has.
    pub(crate) columns: usize,
    /// The first row of the tile.
    pub(crate) row: usize,
    /// The first column of the tile.
    pub(crate) column: usize,
    /// What is done to each number.
    pub(crate) finish: Finish<'a>,
}

#[cfg(target_arch = "x86_64")]
impl Target<'_> {
    /// Finishes and stores the numbers from `column` on, of which those beyond the last column are none.
    ///
    /// # Safety
    /// The machine has the instructions; the row is one of the product's.
    #[inline(always)]
    pub(crate) unsafe fn put<L: Lanes>(&self, row: usize, column: usize, value: L) {
        let column = self.column + column;
        if column >= self.columns {
            return;
        }
        let (at, left) = ((self.row + row) * self.columns + column, self.columns - column);
        // SAFETY: `at` is a place of the product, and `left` numbers of its row are there from it on.
        unsafe {
            let value = match self.finish {
                Finish::Plain => value,
                Finish::Gelu => math::gelu(value),
                Finish::Residual(residual) if left >= L::COUNT => {
                    value.add(L::load(residual.as_ptr().add(at)))
                }
                Finish::Residual(residual) => {
                    value.add(L::load_first(residual.as_ptr().add(at), left, L::splat(0.0)))
                }
            };
            match left >= L::COUNT {
                true => value.store(self.output.add(at)),
                false => value.store_first(self.output.add(at), left),
            }
        }
    }
}

/// How many rows of `bytes` each are worked on before the next panel, so that they stay near the processor.
#[cfg(target_arch = "x86_64")]
pub(crate) fn block_rows(bytes: usize) -> usize {
    ((512 << 10) / bytes.max(1)).max(TILE_ROWS) / TILE_ROWS * TILE_ROWS
}
