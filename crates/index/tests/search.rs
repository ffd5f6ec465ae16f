//! What a search finds, told by examples.

use memoir_index::{Filter, Query, Row, RowMeta, Segment, SpaceIndex, Terms};

const META: RowMeta = RowMeta { said_at: 0, author: 0, role: 0, session: 0 };

fn space(texts: &[&str]) -> SpaceIndex {
    let mut space = SpaceIndex::new();
    for (seq, text) in (1..).zip(texts) {
        space.upsert(seq, META, &Terms::of(&[text]));
    }
    space
}

fn seqs(space: &SpaceIndex, query: &str) -> Vec<u64> {
    let found = space.search(&Query::parse(query), &Filter::default(), 10);
    found.hits.iter().map(|hit| hit.seq).collect()
}

#[test]
fn one_han_character_finds_the_sentence_that_holds_it() {
    let space = space(&["我的猫叫Miso", "今天天气很好", "我喜欢熊猫"]);
    for query in ["猫", "貓"] {
        let mut found = seqs(&space, query);
        found.sort_unstable();
        assert_eq!(found, [1, 3], "{query}");
    }
    assert_eq!(seqs(&space, "猫叫什么名字").first(), Some(&1));
}

#[test]
fn a_word_is_found_in_another_form_and_the_same_form_ranks_first() {
    let space = space(&["she runs home", "he was running home", "they sleep"]);
    assert_eq!(seqs(&space, "running"), [2, 1]);
}

#[test]
fn a_rare_word_outranks_a_common_one() {
    let space = space(&["coffee today", "coffee again", "coffee please", "tea please"]);
    assert_eq!(seqs(&space, "coffee tea").first(), Some(&4));
}

#[test]
fn rows_that_share_only_a_stop_word_show_where_nothing_better_does() {
    let space = space(&["what is the time", "my cat sleeps"]);
    assert_eq!(seqs(&space, "is the cat here"), [2]);
    assert_eq!(seqs(&space, "the dog"), [1]);
    assert_eq!(seqs(&space, "the"), [1]);
}

#[test]
fn of_equal_rows_the_newer_is_first() {
    assert_eq!(seqs(&space(&["a cat", "a cat", "a cat"]), "cat"), [3, 2, 1]);
}

#[test]
fn a_phrase_must_occur_as_it_is_written() {
    let space = space(&["new york is big", "york has a new bridge", "a new day in new york"]);
    assert_eq!(seqs(&space, "\"new york\""), [3, 1]);
    assert_eq!(seqs(&space, "「york new」 bridge"), [] as [u64; 0]);
    assert_eq!(seqs(&space, "“new bridge” york"), [2]);
    assert_eq!(seqs(&space, "new york").len(), 3);
}

#[test]
fn a_han_phrase_is_found_however_its_words_are_cut() {
    let space = space(&["研究生命的起源", "研究生的生命", "他在命研究生"]);
    assert_eq!(seqs(&space, "「生命」").len(), 2);
    assert_eq!(seqs(&space, "「究生命」"), [1]);
    assert_eq!(seqs(&space, "「命研」"), [3]);
}

#[test]
fn all_phrases_must_occur() {
    let space = space(&["red car and blue bike", "red car", "blue bike"]);
    assert_eq!(seqs(&space, "\"red car\" \"blue bike\""), [1]);
}

#[test]
fn a_phrase_never_crosses_from_one_field_into_the_next() {
    let mut space = SpaceIndex::new();
    space.upsert(1, META, &Terms::of(&["look at my new", "york street map"]));
    assert_eq!(seqs(&space, "new york"), [1]);
    assert_eq!(seqs(&space, "\"new york\""), [] as [u64; 0]);
    assert_eq!(seqs(&space, "\"street map\""), [1]);
}

#[test]
fn an_empty_query_finds_nothing() {
    let space = space(&["cat"]);
    assert_eq!(seqs(&space, ""), [] as [u64; 0]);
    assert_eq!(seqs(&space, "?!"), [] as [u64; 0]);
}

#[test]
fn a_filter_narrows_the_hits_and_leaves_their_scores() {
    let mut space = SpaceIndex::new();
    for seq in 1..=6 {
        let meta = RowMeta { said_at: seq as i64 * 100, author: seq % 2, role: 0, session: seq / 3 };
        space.upsert(seq, meta, &Terms::of(&["cat"]));
    }
    let query = Query::parse("cat");
    let all = space.search(&query, &Filter::default(), 10);
    let filter = Filter { from: Some(200), until: Some(600), authors: Some([1].into()), ..Filter::default() };
    let some = space.search(&query, &filter, 10);
    assert_eq!(some.hits.iter().map(|hit| hit.seq).collect::<Vec<_>>(), [5, 3]);
    assert_eq!(some.hits[0], all.hits[1]);
    assert_eq!((all.total, some.total), (6, 2));
}

#[test]
fn the_limit_bounds_the_hits_and_not_the_total() {
    let space = space(&["cat"; 20]);
    let found = space.search(&Query::parse("cat"), &Filter::default(), 3);
    assert_eq!((found.hits.len(), found.total), (3, 20));
    assert!(found.hits.iter().all(|hit| hit.strong && hit.matched == 1));
}

#[test]
fn an_edited_row_of_a_segment_is_found_by_its_new_text_only() {
    let texts = ["my cat", "my dog"].map(|text| Terms::of(&[text]));
    let rows = (0..).zip(&texts).map(|(seq, terms)| Row { seq, meta: META, terms });
    let mut space = SpaceIndex::new();
    space.add_segment(Segment::build(0, rows).unwrap());
    space.upsert(0, META, &Terms::of(&["my bird"]));
    assert_eq!(seqs(&space, "cat"), [] as [u64; 0]);
    assert_eq!(seqs(&space, "bird"), [0]);
    assert_eq!((space.len(), space.tail_len()), (2, 1));
    assert!(space.remove(0) && space.remove(1) && !space.remove(1));
    assert_eq!((space.len(), space.is_empty(), space.contains(1)), (0, true, false));
}

#[test]
fn a_segment_takes_over_the_rows_of_the_tail() {
    let mut space = space(&["my cat", "my dog"]);
    let terms = Terms::of(&["my cat"]);
    space.add_segment(Segment::build(0, [Row { seq: 1, meta: META, terms: &terms }]).unwrap());
    assert_eq!((space.len(), space.tail_len()), (2, 1));
    assert_eq!(seqs(&space, "cat"), [1]);
    assert_eq!(seqs(&space, "dog"), [2]);
    // A later segment of the same piece replaces the earlier one.
    let terms = Terms::of(&["my bird"]);
    space.add_segment(Segment::build(0, [Row { seq: 3, meta: META, terms: &terms }]).unwrap());
    assert_eq!(seqs(&space, "cat"), [] as [u64; 0]);
    assert_eq!((space.len(), space.pieces().collect::<Vec<_>>()), (2, vec![0]));
}

#[test]
fn the_work_of_a_search_is_counted() {
    let terms: Vec<Terms> = (0..10).map(|n| Terms::of(&[&format!("cat number{n}")])).collect();
    let mut space = SpaceIndex::new();
    let rows = (0..).zip(&terms).map(|(seq, terms)| Row { seq, meta: META, terms });
    space.add_segment(Segment::build(0, rows).unwrap());
    space.upsert(4096, META, &terms[0]);
    let work = space.search(&Query::parse("cat"), &Filter::default(), 3).work;
    assert_eq!((work.segments, work.postings, work.rows), (1, 11, 11));
}
