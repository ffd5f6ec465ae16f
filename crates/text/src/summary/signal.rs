use crate::{normalise, numbers, people, titles};

const TITLE: f32 = 0.7;
const PERSON: f32 = 0.5;
const NUMBER: f32 = 0.35;
const CUE: f32 = 0.6;
/// More names, titles or numbers than this add nothing: a list is not worth more than a statement.
const MOST: usize = 4;

/// Words of decisions, preferences, plans and health: what is worth remembering of a person.
#[rustfmt::skip]
const CHINESE: &[&[&str]] = &[
    &[
        "决定", "打算", "计划", "准备", "想去", "想要", "报名", "预约", "预订", "目标", "下周", "下个月",
        "明年", "安排",
    ],
    &[
        "喜欢", "最爱", "爱好", "讨厌", "不喜欢", "偏好", "感兴趣", "热爱", "擅长", "最喜欢", "受不了",
        "不想",
    ],
    &[
        "生病", "医院", "医生", "过敏", "失眠", "头疼", "头痛", "吃药", "手术", "体检", "感冒", "发烧",
        "血压", "怀孕", "焦虑", "抑郁", "疼",
    ],
    &[
        "生日", "结婚", "离婚", "毕业", "工作", "辞职", "搬家", "考试", "面试", "出生", "家人", "妈妈",
        "爸爸", "孩子", "老婆", "老公", "女朋友", "男朋友",
    ],
    &[
        "名字", "叫做", "名叫", "我叫", "住在", "来自", "去了", "看了", "买了", "学会", "开始学", "遇到",
        "发现", "参加",
    ],
];
#[rustfmt::skip]
const ENGLISH: &[&[&str]] = &[
    &[
        "decided", "plan to", "planning", "going to", "intend", "booked", "signed up", "goal", "next week",
        "next month", "next year", "want to",
    ],
    &[
        "like", "love", "favorite", "favourite", "hate", "prefer", "enjoy", "interested in", "dislike",
        "hobby", "can't stand",
    ],
    &[
        "sick", "hospital", "doctor", "allergic", "allergy", "insomnia", "headache", "medicine", "surgery",
        "diagnosed", "pregnant", "anxiety", "anxious", "depressed", "pain", "afraid",
    ],
    &[
        "birthday", "married", "wedding", "divorced", "graduated", "job", "quit", "moved", "exam",
        "interview", "born", "mother", "father", "mom", "dad", "wife", "husband", "girlfriend", "boyfriend",
        "kids",
    ],
    &[
        "my name", "called", "named", "live in", "moved to", "went to", "watched", "bought", "learned",
        "learning", "started", "joined", "found", "visited",
    ],
];

/// The concrete content of a clause: names, titles, numbers, and cues of what matters in a life.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Signal {
    titles: usize,
    people: usize,
    numbers: usize,
    /// A bit for each group of cues.
    cues: u32,
}

impl Signal {
    pub(super) fn of(clause: &str) -> Signal {
        let folded = normalise(clause);
        let mut cues = 0;
        for (bit, group) in CHINESE.iter().enumerate() {
            cues |= u32::from(group.iter().any(|cue| folded.contains(cue))) << bit;
        }
        for (bit, group) in ENGLISH.iter().enumerate() {
            cues |= u32::from(group.iter().any(|cue| has_word(&folded, cue))) << bit;
        }
        let titles = titles(clause).len();
        Signal { titles, people: people(clause).len(), numbers: numbers(clause).len(), cues }
    }

    /// What is in either.
    pub(super) fn and(self, other: Signal) -> Signal {
        Signal {
            titles: self.titles + other.titles,
            people: self.people + other.people,
            numbers: self.numbers + other.numbers,
            cues: self.cues | other.cues,
        }
    }

    /// How much it is worth beside the words.
    pub(super) fn worth(self) -> f32 {
        TITLE * self.titles.min(MOST) as f32
            + PERSON * self.people.min(MOST) as f32
            + NUMBER * self.numbers.min(MOST) as f32
            + CUE * self.cues.count_ones() as f32
    }

    /// Whether there is anything at all.
    pub(super) fn is_concrete(self) -> bool {
        self.worth() > 0.0
    }

    /// Whether a work or a person is named.
    pub(super) fn is_named(self) -> bool {
        self.titles + self.people > 0
    }

    /// Whether a work is named or something counted.
    pub(super) fn is_fact(self) -> bool {
        self.titles + self.numbers > 0
    }
}

/// Whether `cue` stands in `text` as a word.
fn has_word(text: &str, cue: &str) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric());
    text.match_indices(cue).any(|(at, _)| {
        let before = text.get(..at).and_then(|head| head.chars().next_back());
        let after = text.get(at + cue.len()..).and_then(|tail| tail.chars().next());
        !is_letter(before) && !is_letter(after)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_more_concrete_than_chat() {
        for (fact, chat) in [
            ("我打算下周去看《流浪地球》", "天气真是不错呢"),
            ("I booked 3 nights with Alice", "It is what it is"),
        ] {
            assert!(Signal::of(fact).worth() > Signal::of(chat).worth() + 0.5);
        }
    }
}
