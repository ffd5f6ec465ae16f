use memoir_model::{Error, Period, Result, Session, SessionId, Space, Summary, SummaryLevel};

use super::background;
use super::digest::Digest;
use super::talk::Talk;
use crate::engine::Inner;

/// What a period is summed up from.
pub(crate) enum Material {
    /// A session, and what was said in it.
    Session(Box<Session>, Talk),
    /// What was said on a day.
    Day(Talk),
    /// The summaries of its days.
    Days(Vec<Summary>),
    /// What was known before, and the days since.
    Background(Box<background::Material>),
}

impl Material {
    pub(crate) fn digest(&self) -> u64 {
        match self {
            Material::Session(_, talk) | Material::Day(talk) => talk.digest(),
            Material::Days(days) => days_digest(days),
            Material::Background(material) => material.digest(),
        }
    }

    /// Whether it is of a session that says of itself that its summary does not fit.
    pub(crate) fn is_of_stale_session(&self) -> bool {
        matches!(self, Material::Session(session, _) if session.stale)
    }

    pub(crate) fn is_enough(&self, inner: &Inner) -> bool {
        let settings = &inner.settings;
        match self {
            Material::Session(_, talk) | Material::Day(talk) => {
                talk.is_enough(settings.layer_messages, settings.layer_characters)
            }
            Material::Days(days) => !days.is_empty(),
            Material::Background(material) => !material.is_empty(),
        }
    }
}

pub(crate) fn days_digest(days: &[Summary]) -> u64 {
    let mut digest = Digest::new();
    for day in days {
        digest.summary(day);
    }
    digest.value()
}

impl Inner {
    /// The summary of a period that there is, and what there is to sum up.
    pub(crate) async fn known_and_material(
        &self,
        space: &Space,
        period: &Period,
        fresh_day: Option<&Summary>,
    ) -> Result<(Option<Summary>, Material)> {
        if let Period::Session(id) = period {
            return self.session_and_summary(space, id).await;
        }
        let known = self.store.summary(&space.key(), period).await?;
        let material = self.material(space, period, known.as_ref(), fresh_day).await?;
        Ok((known, material))
    }

    async fn session_and_summary(
        &self,
        space: &Space,
        id: &SessionId,
    ) -> Result<(Option<Summary>, Material)> {
        let found = Talk::with_session(self.store.as_ref(), space, id).await?;
        let (session, known, talk) = found.ok_or_else(|| Error::not_found("session", id))?;
        Ok((known, Material::Session(Box::new(session), talk)))
    }

    /// What there is to sum up. `fresh_day` is a day that is about to be written.
    pub(crate) async fn material(
        &self,
        space: &Space,
        period: &Period,
        known: Option<&Summary>,
        fresh_day: Option<&Summary>,
    ) -> Result<Material> {
        let store = self.store.as_ref();
        Ok(match period {
            Period::Session(id) => self.session_and_summary(space, id).await?.1,
            Period::Day(day) => Material::Day(Talk::of_day(store, space, *day, |_| true).await?),
            Period::Week(first) | Period::Month(first) => {
                let last = period.days().map_or(*first, |(_, last)| last);
                let (from, until) = (first.to_string(), last.to_string());
                let days = store.summaries(&space.key(), SummaryLevel::Day, &from, &until, 31).await?;
                Material::Days(days)
            }
            Period::Background => {
                let material = background::Material::read(store, space, known, fresh_day).await?;
                Material::Background(Box::new(material))
            }
        })
    }
}
