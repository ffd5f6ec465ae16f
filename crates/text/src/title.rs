use std::ops::Range;

/// What kind of marks a title stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TitleKind {
    /// A work in 《》: a book, a film, a song.
    Work,
    /// A term in quotation marks: 「」, 『』, “” or "".
    Quoted,
}

/// A titled work or a quoted term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Title {
    /// What kind of marks it stands in.
    pub kind: TitleKind,
    /// Byte range of what stands between the marks.
    pub span: Range<usize>,
    /// Byte range with the marks.
    pub outer: Range<usize>,
}

/// The longest title and the longest quoted term, in characters.
const LONGEST_WORK: usize = 60;
const LONGEST_QUOTED: usize = 48;
/// A quotation with more words than this is speech.
const MOST_WORDS: usize = 8;
/// A quotation with more Han characters than this is speech when it has a comma.
const LONGEST_PLAIN: usize = 12;

/// The works in 《》 and the quoted terms of `text`, in order. Quoted speech is left out, nesting too.
///
/// ```
/// let text = "我在看《百年孤独》，like \"The Great Gatsby\"";
/// let all: Vec<&str> = memoir_text::titles(text).into_iter().map(|title| &text[title.span]).collect();
/// assert_eq!(all, ["百年孤独", "The Great Gatsby"]);
/// ```
pub fn titles(text: &str) -> Vec<Title> {
    let mut titles = Vec::new();
    let mut done = 0;
    let mut before = None;
    for (at, c) in text.char_indices() {
        let opened = at >= done;
        if opened
            && let Some(close) = closing(c)
            && may_open(c, before)
        {
            let inner = at + c.len_utf8();
            if let Some(title) = title(text, c, inner, close) {
                done = title.outer.end;
                titles.push(title);
            }
        }
        before = Some(c);
    }
    titles
}

fn closing(open: char) -> Option<char> {
    Some(match open {
        '《' => '》',
        '「' => '」',
        '『' => '』',
        '“' => '”',
        '"' => '"',
        _ => return None,
    })
}

/// A straight quote opens at the beginning of a word only: `5" wide` has none.
fn may_open(open: char, before: Option<char>) -> bool {
    open != '"' || before.is_none_or(|c| !c.is_ascii_alphanumeric() && !matches!(c, '.' | ',' | '!' | '?'))
}

fn title(text: &str, open: char, inner: usize, close: char) -> Option<Title> {
    let kind = if open == '《' { TitleKind::Work } else { TitleKind::Quoted };
    let longest = if kind == TitleKind::Work { LONGEST_WORK } else { LONGEST_QUOTED };
    let rest = text.get(inner..)?;
    let length = rest
        .char_indices()
        .take(longest + 1)
        .find(|&(_, c)| c == close || c == '\n' || c == open || c == '《');
    let (length, found) = length?;
    if found != close {
        return None;
    }
    let outer = inner - open.len_utf8()..inner + length + close.len_utf8();
    let raw = rest.get(..length)?;
    let name = raw.trim_start();
    let from = inner + raw.len() - name.len();
    // American typesetting puts the comma inside: "Police Story," he said.
    let name = name.trim_end_matches(|c: char| {
        c.is_whitespace() || (kind == TitleKind::Quoted && matches!(c, ',' | '.' | '，'))
    });
    let valid = name.chars().any(char::is_alphanumeric) && (kind == TitleKind::Work || is_term(name));
    valid.then(|| Title { kind, span: from..from + name.len(), outer })
}

/// Whether a quotation is a term and not something that somebody said.
fn is_term(name: &str) -> bool {
    let stops = |c| matches!(c, '。' | '！' | '？' | '；' | '…' | ';');
    let words = name.split_whitespace().count();
    let chars = name.chars().count();
    let speech = name.contains(stops)
        || words > MOST_WORDS
        || (words > 1 && name.ends_with(['?', '!']))
        || (chars > LONGEST_PLAIN && name.contains('，'))
        || (name.is_ascii() && name.contains(", ") && words > 5);
    !speech
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        titles(text).into_iter().map(|title| &text[title.span]).collect()
    }

    #[test]
    fn works_and_quoted_terms_are_found() {
        assert_eq!(names("推荐《简爱》《红字》和「人间失格」"), ["简爱", "红字", "人间失格"]);
        assert_eq!(names("a book called “Sapiens” and \"1984\", etc."), ["Sapiens", "1984"]);
        assert_eq!(names("I saw \"Police Story,\" which is old"), ["Police Story"]);
        assert_eq!(names("《你好，李焕英！》"), ["你好，李焕英！"]);
    }

    #[test]
    fn speech_and_stray_marks_are_not() {
        assert!(names("他说：“我今天很累，不想出门了，你们去吧”").is_empty());
        assert!(names("\"I really do not think that we should go there now\"").is_empty());
        assert!(names("a 5\" screen and a 6\" one").is_empty());
        assert!(names("《没有关上\n的书》 “”").is_empty());
    }
}
