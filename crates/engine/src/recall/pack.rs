use jiff::Timestamp;
use memoir_text::estimate_tokens;
use std::collections::HashSet;

/// A turn that may be shown.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    /// The id of what it is taken from: what is shown once is not shown again.
    pub(crate) id: String,
    /// When it was said, by which pieces are put in order; then their number.
    pub(crate) at: (Timestamp, u64),
    /// The line as it would stand in the context.
    pub(crate) line: String,
    /// What the line costs with its end, on the safe side.
    pub(crate) tokens: usize,
    /// How likely it is to matter; 0 to 1.
    pub(crate) score: f32,
}

impl Piece {
    pub(crate) fn new(id: String, at: (Timestamp, u64), line: String, score: f32) -> Self {
        Piece { id, at, tokens: estimate_tokens(&line) + 1, line, score }
    }
}

/// A turn that was found, and what stands beside it.
#[derive(Debug, Clone)]
pub(crate) struct Unit {
    pub(crate) found: Piece,
    pub(crate) beside: Vec<Piece>,
}

/// Chooses the longest ranked prefix that fits into so many tokens: each found turn with the turns beside it, or, where
/// those are too much, alone. Nothing is shown twice. The chosen come in the order they were said.
pub(crate) fn pack(
    units: impl Iterator<Item = Unit>,
    most_tokens: usize,
    shown: &mut HashSet<String>,
) -> Vec<Piece> {
    let mut chosen: Vec<Piece> = Vec::new();
    let mut spent = 0;
    let mut words = HashSet::new();
    for Unit { found, mut beside } in units {
        if shown.contains(&found.id) || !words.insert(spoken(&found.line).to_owned()) {
            continue;
        }
        beside.retain(|piece| piece.id != found.id && !shown.contains(&piece.id));
        let whole = found.tokens + beside.iter().map(|piece| piece.tokens).sum::<usize>();
        let complete = spent + whole <= most_tokens;
        if !complete {
            if spent + found.tokens > most_tokens {
                break;
            }
            beside.clear();
        }
        let taken = std::iter::once(found).chain(beside);
        for piece in taken {
            spent += piece.tokens;
            shown.insert(piece.id.clone());
            chosen.push(piece);
        }
        if !complete {
            break;
        }
    }
    chosen.sort_by_key(|piece| piece.at);
    chosen
}

/// Takes the last turns that fit, and puts them in their order. The last comes first.
pub(crate) fn pack_last(
    turns: impl Iterator<Item = Piece>,
    most_tokens: usize,
    shown: &mut HashSet<String>,
) -> Vec<Piece> {
    let mut spent = 0;
    let mut chosen: Vec<Piece> = turns
        .take_while(|piece| {
            spent += piece.tokens;
            spent <= most_tokens
        })
        .collect();
    chosen.reverse();
    shown.extend(chosen.iter().map(|piece| piece.id.clone()));
    chosen
}

/// The words of a line without its date: the same said twice is worth one line.
fn spoken(line: &str) -> &str {
    line.split_once("] ").map_or(line, |(_, words)| words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn piece(seq: u64, words: &str) -> Piece {
        let line = format!("[2026-01-01 Thu 08:00] a: {words}");
        Piece::new(seq.to_string(), (Timestamp::UNIX_EPOCH, seq), line, 1.0)
    }

    fn unit(seq: u64, beside: &[u64]) -> Unit {
        let words = |seq: u64| format!("this is turn number {seq}");
        Unit {
            found: piece(seq, &words(seq)),
            beside: beside.iter().map(|&seq| piece(seq, &words(seq))).collect(),
        }
    }

    fn seqs(pieces: &[Piece]) -> Vec<u64> {
        pieces.iter().map(|piece| piece.at.1).collect()
    }

    #[test]
    fn the_best_come_with_what_stands_beside_them_in_order_of_time_and_once() {
        let units = [unit(9, &[8, 10]), unit(10, &[9, 11]), unit(2, &[1, 3])];
        let shown = &mut HashSet::from(["3".to_owned()]);
        assert_eq!(seqs(&pack(units.into_iter(), 10_000, shown)), [1, 2, 8, 9, 10]);
        assert!(shown.contains("8"));
    }

    #[test]
    fn where_its_neighbours_do_not_fit_a_turn_comes_alone_and_nothing_after_it() {
        let each = unit(1, &[]).found.tokens;
        let units = [unit(9, &[8, 10]), unit(4, &[3, 5]), unit(1, &[])];
        assert_eq!(seqs(&pack(units.iter().cloned(), each * 4, &mut HashSet::new())), [4, 8, 9, 10]);
        assert_eq!(seqs(&pack(units.iter().cloned(), each * 5, &mut HashSet::new())), [4, 8, 9, 10]);
    }

    #[test]
    fn the_same_words_are_shown_once() {
        let units = [
            Unit { found: piece(1, "good morning"), beside: vec![] },
            Unit { found: piece(7, "good morning"), beside: vec![] },
            Unit { found: piece(5, "good night"), beside: vec![] },
        ];
        assert_eq!(seqs(&pack(units.into_iter(), 1_000, &mut HashSet::new())), [1, 5]);
    }

    #[test]
    fn of_the_talk_that_goes_on_the_end_is_kept() {
        let turns: Vec<Piece> = (1..=9).map(|seq| unit(seq, &[]).found).collect();
        let each = turns[0].tokens;
        let last = pack_last(turns.into_iter().rev(), each * 3 + 1, &mut HashSet::new());
        assert_eq!(seqs(&last), [7, 8, 9]);
    }

    proptest! {
        #[test]
        fn packing_never_exceeds_the_budget(
            units in prop::collection::vec((0..40u64, 0..40u64, "[a-z猫。 ]{0,80}"), 0..30),
            most in 0..400usize,
        ) {
            let units = units.into_iter().map(|(found, beside, words)| Unit {
                found: piece(found, &words),
                beside: vec![piece(beside, &words)],
            });
            let packed = pack(units, most, &mut HashSet::new());
            let text: Vec<String> = packed.iter().map(|piece| piece.line.clone()).collect();
            prop_assert!(estimate_tokens(&text.join("\n")) <= most);
            let distinct: HashSet<&str> = packed.iter().map(|piece| piece.id.as_str()).collect();
            prop_assert_eq!(distinct.len(), packed.len());
        }
    }
}
