use std::{collections::HashMap, ops::Range};

use crate::{graph, normalise, people, term::Lexicon, title::titles};

/// A word that says what a text is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Keyword<'t> {
    /// The word as it stands where the text has it first.
    pub text: &'t str,
    /// Byte range of that place.
    pub span: Range<usize>,
    /// 0 to 1; the best of a text is near 1.
    pub score: f32,
}

/// Words this far apart or nearer belong together.
const WINDOW: usize = 4;
/// The share of the word's own weight in the score; the rest is its place among the other words.
const OWN_SHARE: f32 = 0.65;
/// Names, titles and quoted terms are what a text is about more often than their frequency tells.
const WHOLE_WEIGHT: f32 = 1.2;

/// The `most` words or names that say best what `text` is about, best first.
///
/// A word counts by how often it stands here against how common it is (TF-IDF, with the dictionary's frequencies or a
/// list of common English words) and by its place among the others (TextRank). People, titles and quoted terms are
/// kept whole.
///
/// ```
/// let words = memoir_text::keywords("我最近在读《百年孤独》，马尔克斯的小说真好看", 3);
/// assert_eq!(words[0].text, "百年孤独");
/// ```
pub fn keywords(text: &str, most: usize) -> Vec<Keyword<'_>> {
    let candidates = candidates(text);
    let mut words: Vec<Word> = Vec::new();
    let mut places: HashMap<&str, usize> = HashMap::new();
    let mut order = Vec::with_capacity(candidates.len());
    for candidate in &candidates {
        let id = *places.entry(candidate.key.as_str()).or_insert(words.len());
        if id == words.len() {
            words.push(Word { span: candidate.span.clone(), weight: candidate.weight, count: 0 });
        }
        if let Some(word) = words.get_mut(id) {
            word.count += 1;
        }
        order.push(id);
    }
    let edges: Vec<(usize, usize, f32)> = order
        .iter()
        .enumerate()
        .flat_map(|(at, &a)| order.iter().skip(at + 1).take(WINDOW - 1).map(move |&b| (a, b, 1.0)))
        .collect();
    let ranks = graph::rank(words.len(), &edges);
    let own: Vec<f32> = words.iter().map(|word| word.weight * (1.0 + (word.count as f32).ln())).collect();
    let (most_own, most_rank) = (greatest(&own), greatest(&ranks));
    let mut keywords: Vec<Keyword<'_>> = words
        .iter()
        .zip(own.iter().zip(&ranks))
        .filter_map(|(word, (own, rank))| {
            // The place among others is worth as much as the word is: a common word does not win by being everywhere.
            let score = own / most_own * (OWN_SHARE + (1.0 - OWN_SHARE) * rank / most_rank);
            Some(Keyword { text: text.get(word.span.clone())?, span: word.span.clone(), score })
        })
        .collect();
    keywords.sort_by(|a, b| b.score.total_cmp(&a.score).then(a.span.start.cmp(&b.span.start)));
    keywords.truncate(most);
    keywords
}

struct Word {
    span: Range<usize>,
    weight: f32,
    count: usize,
}

struct Candidate {
    key: String,
    span: Range<usize>,
    weight: f32,
}

/// The names and words that could be key words, in order. What stands inside a name is no word of its own.
fn candidates(text: &str) -> Vec<Candidate> {
    let mut whole: Vec<Range<usize>> = titles(text).into_iter().map(|title| title.span).collect();
    whole.extend(people(text).into_iter().map(|person| person.span));
    whole.sort_by_key(|span| (span.start, span.end));
    let mut end = 0;
    whole.retain(|span| {
        let free = span.start >= end;
        end = end.max(span.end);
        free
    });

    let mut lexicon = Lexicon::default();
    let terms = lexicon.terms(text);
    let mut candidates = Vec::with_capacity(terms.len());
    let mut spans = whole.into_iter().peekable();
    for term in terms {
        while let Some(span) = spans.next_if(|span| span.start <= term.span.start) {
            candidates.push(name(text, span));
        }
        let inside = candidates.last().is_some_and(|last: &Candidate| last.span.end > term.span.start);
        let word = text.get(term.span.clone()).unwrap_or_default();
        if !inside && is_content(word) && lexicon.weight(term.id) > 0.0 {
            candidates.push(Candidate {
                key: lexicon.word(term.id).to_owned(),
                weight: lexicon.weight(term.id),
                span: term.span,
            });
        }
    }
    candidates.extend(spans.map(|span| name(text, span)));
    candidates
}

fn name(text: &str, span: Range<usize>) -> Candidate {
    let key = normalise(text.get(span.clone()).unwrap_or_default());
    Candidate { key, span, weight: WHOLE_WEIGHT }
}

/// A word of one character, a number or an emoji is no key word.
fn is_content(word: &str) -> bool {
    word.chars().nth(1).is_some() && word.chars().any(char::is_alphabetic)
}

fn greatest(values: &[f32]) -> f32 {
    values.iter().copied().fold(f32::MIN_POSITIVE, f32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, most: usize) -> Vec<&str> {
        keywords(text, most).into_iter().map(|word| word.text).collect()
    }

    #[test]
    fn names_titles_and_quoted_terms_stay_whole() {
        let words = texts("I read \"The Great Gatsby\" with Alice Smith in the library", 3);
        assert!(words.contains(&"The Great Gatsby") && words.contains(&"Alice Smith"), "{words:?}");
        let words = texts("李医生推荐我看《活着》，我还没看", 2);
        assert!(words.contains(&"李医生") && words.contains(&"活着"), "{words:?}");
    }

    #[test]
    fn telling_words_come_before_common_ones() {
        assert_eq!(texts("我今天在学习钢琴，钢琴老师说我弹钢琴的节奏不错", 1), ["钢琴"]);
        assert_eq!(
            texts("I think the orchestra was really good and I like orchestra music", 1),
            ["orchestra"]
        );
    }

    #[test]
    fn scores_fall_and_the_number_is_kept() {
        let words = keywords("我喜欢爬山、游泳、摄影、绘画、读诗和弹吉他", 4);
        assert_eq!(words.len(), 4);
        assert!(words.windows(2).all(|pair| pair[0].score >= pair[1].score));
        assert!(words.iter().all(|word| (0.0..=1.0).contains(&word.score)));
        assert!(keywords("", 5).is_empty() && keywords("的了吗", 5).is_empty());
    }
}
