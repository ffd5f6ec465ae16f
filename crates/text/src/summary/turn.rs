use crate::Language;

/// Who speaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A person.
    User,
    /// The program that answers.
    Assistant,
}

/// One turn of a talk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn<'t> {
    /// The speaker's name; empty when it is not known.
    pub speaker: &'t str,
    /// Whether a person speaks.
    pub role: Role,
    /// What is said.
    pub text: &'t str,
}

/// Labels that say no more than the role does.
const ANONYMOUS: &[&str] = &["user", "human", "me", "用户", "我", "assistant", "bot", "ai", "助手"];

/// How the speakers of a talk are called in the third person.
pub(super) struct Labels<'t> {
    /// The different speakers, up to three: with more than two nobody knows who `you` is.
    speakers: Vec<(&'t str, Role)>,
}

impl<'t> Labels<'t> {
    pub(super) fn of(turns: &[Turn<'t>]) -> Labels<'t> {
        let mut speakers = Vec::new();
        for turn in turns {
            let speaker = (turn.speaker, turn.role);
            if speakers.len() < 3 && !speakers.contains(&speaker) {
                speakers.push(speaker);
            }
        }
        Labels { speakers }
    }

    /// The name of the one who speaks.
    pub(super) fn speaker(&self, turn: &Turn<'t>, language: Language) -> &'t str {
        name(turn.speaker, turn.role, language)
    }

    /// The name of the one spoken to, when there is only one it can be.
    pub(super) fn addressee(&self, turn: &Turn<'t>, language: Language) -> Option<&'t str> {
        let mut others = self.speakers.iter().filter(|&&other| other != (turn.speaker, turn.role));
        match (others.next(), others.next()) {
            (Some(&(speaker, role)), None) => Some(name(speaker, role, language)),
            // Nobody answered yet: a person alone speaks to the assistant.
            (None, _) if turn.role == Role::User => Some(name("", Role::Assistant, language)),
            (None, _) => Some(name("", Role::User, language)),
            _ => None,
        }
    }
}

fn name(speaker: &str, role: Role, language: Language) -> &str {
    let plain = speaker.trim();
    if !plain.is_empty() && !ANONYMOUS.contains(&plain.to_lowercase().as_str()) {
        return plain;
    }
    match (role, language) {
        (Role::User, Language::En) => "the user",
        (Role::User, _) => "用户",
        (Role::Assistant, Language::En) => "the assistant",
        (Role::Assistant, _) => "助手",
    }
}
