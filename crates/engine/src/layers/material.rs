use memoir_model::{Error, Period, Result, Space, Summary, SummaryLevel};

use super::background;
use super::digest::Digest;
use super::talk::Talk;
use crate::engine::Inner;

/// What a period is summed up from.
pub(crate) enum Material {
    /// Talk that was held in it.
    Talk(Talk),
    /// The summaries of its days.
    Days(Vec<Summary>),
    /// What was known before, and the days since.
    Background(Box<background::Material>),
}

impl Material {
    pub(crate) fn digest(&self) -> u64 {
        match self {
            Material::Talk(talk) => talk.digest(),
            Material::Days(days) => days_digest(days),
            Material::Background(material) => material.digest(),
        }
    }

    pub(crate) fn is_enough(&self, inner: &Inner) -> bool {
        let settings = &inner.settings;
        match self {
            Material::Talk(talk) => talk.is_enough(settings.layer_messages, settings.layer_characters),
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
    /// What there is to sum up.
    pub(crate) async fn material(
        &self,
        space: &Space,
        period: &Period,
        known: Option<&Summary>,
    ) -> Result<Material> {
        let store = self.store.as_ref();
        Ok(match period {
            Period::Session(id) => {
                let session = store.session(&space.key(), id).await?;
                let session = session.ok_or_else(|| Error::not_found("session", id))?;
                Material::Talk(Talk::of_session(store, space, &session).await?)
            }
            Period::Day(day) => Material::Talk(Talk::of_day(store, space, *day, |_| true).await?),
            Period::Week(first) | Period::Month(first) => {
                let last = period.days().map_or(*first, |(_, last)| last);
                let (from, until) = (first.to_string(), last.to_string());
                let days = store.summaries(&space.key(), SummaryLevel::Day, &from, &until, 31).await?;
                Material::Days(days)
            }
            Period::Background => {
                Material::Background(Box::new(background::Material::read(store, space, known).await?))
            }
        })
    }
}
