mod chinese;
mod english;

use std::ops::Range;

use crate::{Form, glyph::Class, title::titles, tokens};

/// How somebody is named.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PersonKind {
    /// A name, a nickname or a surname with its title: 张三, 小陈, 李医生, `Alice Smith`, `Dr. Lee`.
    Name,
    /// `@handle`.
    Handle,
}

/// Somebody named in a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Person {
    /// How.
    pub kind: PersonKind,
    /// Byte range of the name, or of the handle with its `@`.
    pub span: Range<usize>,
}

/// Longer handles are none, in characters.
const LONGEST_HANDLE: usize = 32;

/// The people named in `text`, in order and without overlap. It would rather miss a name than invent one.
///
/// ```
/// let text = "我和张伟、李医生聊过，@bob_w told my friend Priya";
/// let all: Vec<&str> = memoir_text::people(text).into_iter().map(|person| &text[person.span]).collect();
/// assert_eq!(all, ["张伟", "李医生", "@bob_w", "Priya"]);
/// ```
pub fn people(text: &str) -> Vec<Person> {
    let words = words(text);
    let works: Vec<Range<usize>> = titles(text).into_iter().map(|title| title.outer).collect();
    let mut people: Vec<Person> = handles(text);
    let mut at = 0;
    let mut last = 0;
    while at < words.len() {
        match chinese::find(text, &words, at, last).or_else(|| english::find(text, &words, at)) {
            Some((span, next)) => {
                last = span.end;
                people.push(Person { kind: PersonKind::Name, span });
                at = next.max(at + 1);
            }
            None => at += 1,
        }
    }
    people.sort_by_key(|person| (person.span.start, person.span.end));
    let mut end = 0;
    people.retain(|person| {
        let free = person.span.start >= end && !is_inside(&works, &person.span);
        if free {
            end = person.span.end;
        }
        free
    });
    people
}

struct Word {
    folded: String,
    span: Range<usize>,
    is_han: bool,
}

impl Word {
    fn touches(&self, next: &Word) -> bool {
        self.span.end == next.span.start
    }
}

fn words(text: &str) -> Vec<Word> {
    let mut words = Vec::new();
    tokens(text, |token| {
        if token.form == Form::Word {
            let is_han = token.text.chars().next().is_some_and(|c| Class::of(c) == Class::Han);
            words.push(Word { folded: token.text.to_owned(), span: token.span, is_han });
        }
    });
    words
}

fn is_inside(ranges: &[Range<usize>], span: &Range<usize>) -> bool {
    let next = ranges.partition_point(|range| range.end <= span.start);
    ranges.get(next).is_some_and(|range| range.start <= span.start && span.end <= range.end)
}

/// `@name` that is not part of an address.
fn handles(text: &str) -> Vec<Person> {
    let mut people = Vec::new();
    for (at, _) in text.match_indices('@') {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let rest = text.get(at + 1..).unwrap_or_default();
        let free = !before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '@'));
        let length = handle(rest);
        if free && length > 0 {
            people.push(Person { kind: PersonKind::Handle, span: at..at + 1 + length });
        }
    }
    people
}

/// How many bytes of `rest` are a handle. One in Latin letters ends where they do; one in Han characters must end with
/// a blank, or nobody knows where the name ends and the sentence goes on.
fn handle(rest: &str) -> usize {
    let latin = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let name: String = rest.chars().take(LONGEST_HANDLE).take_while(|&c| latin(c)).collect();
    let name = name.trim_end_matches(['.', '-']);
    if name.chars().any(char::is_alphanumeric) {
        return name.len();
    }
    let mut length = 0;
    for c in rest.chars().take(LONGEST_HANDLE) {
        if !(latin(c) || Class::of(c) == Class::Han) {
            return if c.is_whitespace() { length } else { 0 };
        }
        length += c.len_utf8();
    }
    if length == rest.len() { length } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> Vec<&str> {
        people(text).into_iter().map(|person| &text[person.span]).collect()
    }

    #[test]
    fn chinese_names_nicknames_and_titles_are_found() {
        let cases: &[(&str, &[&str])] = &[
            ("你好，我叫张曼婷，很高兴认识你。", &["张曼婷"]),
            ("昨天和小陈、老王一起吃饭", &["小陈", "老王"]),
            ("李医生让我少喝咖啡，王老师也这么说", &["李医生", "王老师"]),
            ("我去看了周杰伦的演唱会", &["周杰伦"]),
            ("我同事刘洋说要请客", &["刘洋"]),
            ("我們老闆陳總很忙", &["陳總"]),
            ("他叫欧阳明。", &["欧阳明"]),
            ("我跟张三和李四去爬山", &["张三", "李四"]),
        ];
        for (text, expected) in cases {
            assert_eq!(names(text), *expected, "{text}");
        }
    }

    #[test]
    fn english_names_need_a_known_name_or_a_cue() {
        assert_eq!(names("Yesterday Alice Smith met Dr. Okafor."), ["Alice Smith", "Dr. Okafor"]);
        assert_eq!(names("My sister Priya and my friend Wei moved."), ["Priya", "Wei"]);
        assert_eq!(names("Jay Chou's concert"), ["Jay Chou"]);
        assert_eq!(names("ping @bob_w, not bob@example.com"), ["@bob_w"]);
        assert_eq!(names("@bob你好 @阿明 在吗"), ["@bob", "@阿明"]);
        assert_eq!(names("@小王今天来吗？"), ["小王"]);
    }

    #[test]
    fn ordinary_words_are_nobody() {
        let none = [
            "和高兴的人一起",
            "小时候老师很好",
            "我喜欢和平",
            "跟金融有关",
            "三张票总共五十",
            "小熊和小马",
            "任何人都可以",
            "The Great Wall in China",
            "I went to Green Meadow Park",
            "Hello, my friend. Today is fine",
            "《简爱》和《安娜》",
            "常常和大家聊天",
            "胡萝卜和马拉松",
            "我和苏州人聊天",
            "安全性很高，石家庄很远",
            "我觉得和老师有关",
        ];
        for text in none {
            assert!(names(text).is_empty(), "{text}: {:?}", names(text));
        }
    }
}
