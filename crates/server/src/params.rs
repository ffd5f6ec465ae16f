use axum::extract::rejection::PathRejection;
use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use memoir_model::{Error, ErrorCode, Result, SpaceId};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use crate::app::App;
use crate::failure::Failure;

/// The part of an address after the question mark; what does not fit is refused with the parameter's name.
pub(crate) struct Params<T>(pub(crate) T);

impl<T: DeserializeOwned> FromRequestParts<App> for Params<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Failure> {
        let axum::extract::Query(pairs) =
            axum::extract::Query::<Vec<(String, String)>>::try_from_uri(&parts.uri)
                .map_err(|e| Error::invalid("query", e.body_text()))?;
        let mut object = serde_json::Map::new();
        for (name, value) in pairs {
            if object.insert(name.clone(), serde_json::Value::String(value)).is_some() {
                return Err(Error::invalid(name, "must be given once").into());
            }
        }
        Ok(Params(crate::body::part(serde_json::Value::Object(object))?))
    }
}

/// The parts of a path, percent-decoded.
pub(crate) struct InPath<T>(pub(crate) T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for InPath<T> {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Failure> {
        Path::<T>::from_request_parts(parts, app).await.map(|Path(value)| InPath(value)).map_err(|e| {
            let code = match e {
                PathRejection::FailedToDeserializePathParams(_) => ErrorCode::NotFound,
                _ => ErrorCode::Internal,
            };
            Error::new(code, e.body_text()).into()
        })
    }
}

/// A number that came as text.
pub(crate) fn number<'de, D, N>(deserializer: D) -> Result<Option<N>, D::Error>
where
    D: serde::Deserializer<'de>,
    N: std::str::FromStr,
{
    let text = Option::<String>::deserialize(deserializer)?;
    text.map(|text| text.parse().map_err(|_| serde::de::Error::custom("must be a whole number"))).transpose()
}

/// A switch that came as text.
pub(crate) fn switch<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(|_| serde::de::Error::custom("must be true or false"))
}

/// How long a list may be, and how long it is when nobody says.
pub(crate) fn page_size(limit: Option<usize>) -> Result<usize> {
    const USUAL: usize = 50;
    const MOST: usize = 500;
    match limit {
        None => Ok(USUAL),
        Some(limit) if (1..=MOST).contains(&limit) => Ok(limit),
        Some(_) => Err(Error::invalid("limit", "must lie between 1 and 500")),
    }
}

/// A space named in a path.
pub(crate) fn space(text: &str) -> Result<SpaceId> {
    text.parse()
}

/// A moment in RFC 3339.
pub(crate) fn moment(field: &str, text: &str) -> Result<jiff::Timestamp> {
    let parsed: jiff::Timestamp = text.parse().map_err(|_| {
        Error::invalid(
            field,
            "must be an RFC 3339 time such as 2026-01-07T09:30:00+08:00 in the years 1 to 9998",
        )
    })?;
    jiff::Timestamp::from_microsecond(parsed.as_microsecond())
        .map_err(|e| Error::invalid(field, e.to_string()))
}

/// A day of the calendar.
pub(crate) fn day(field: &str, text: &str) -> Result<jiff::civil::Date> {
    let wrong = || Error::invalid(field, "must be a day such as 2026-01-07 in the years 1 to 9998");
    let day: jiff::civil::Date = text.parse().map_err(|_| wrong())?;
    // One way of writing a day, so that nobody's clock time is dropped in silence.
    let is_plain = day.to_string() == text && (1..=9998).contains(&day.year());
    if is_plain { Ok(day) } else { Err(wrong()) }
}
