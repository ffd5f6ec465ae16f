use crate::cursor::Cursor;
use crate::numeral::{self, Numeral};

impl Cursor<'_> {
    /// Passes the first of these texts that is there.
    pub(super) fn eat_any(self, texts: &[&str]) -> Option<Self> {
        texts.iter().find_map(|text| self.eat(text))
    }

    /// Passes one of these texts if it is there.
    pub(super) fn maybe_eat(self, texts: &[&str]) -> Self {
        self.eat_any(texts).unwrap_or(self)
    }

    /// A guess between two neighbours: 三四 in 三四天前, 十五六 in 十五六岁.
    pub(super) fn guess(self) -> Option<(i64, i64, Self)> {
        let digit = |c: Option<char>| {
            let numeral = numeral::chinese(&[c?])?;
            (1..10).contains(&numeral.value).then_some(numeral.value)
        };
        let (first, next) = match digit(self.peek()) {
            Some(first) => (first, self.skip(1)),
            // 一五六 is spelled out, 十五六 is not.
            None => {
                self.number().filter(|(numeral, _)| numeral.digits == 0).map(|(n, end)| (n.value, end))?
            }
        };
        let second = digit(next.peek())?;
        let end = next.skip(1);
        let goes_on = end.peek().is_some_and(|c| numeral::chinese(&[c]).is_some());
        (second == first % 10 + 1 && first % 10 != 0 && !goes_on).then_some((first, first + 1, end))
    }

    pub(super) fn number(self) -> Option<(Numeral, Self)> {
        let numeral = numeral::any(self.rest())?;
        Some((numeral, self.skip(numeral.len)))
    }
}
