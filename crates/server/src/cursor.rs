use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use memoir_model::{Error, ErrorCode, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// A place in a list, as the caller sees it: opaque, and good only for the list that it was handed out for.
pub(crate) fn write(list: &str, place: &impl Serialize) -> String {
    let json = serde_json::to_vec(&(list, place)).unwrap_or_default();
    URL_SAFE_NO_PAD.encode(json)
}

/// Reads a place in that list.
pub(crate) fn read<T: DeserializeOwned>(list: &str, cursor: Option<&str>) -> Result<Option<T>> {
    let Some(cursor) = cursor else { return Ok(None) };
    let wrong =
        || Error::new(ErrorCode::InvalidCursor, "the cursor does not belong to this list").at("cursor");
    let json = URL_SAFE_NO_PAD.decode(cursor).map_err(|_| wrong())?;
    let (of, place): (String, T) = serde_json::from_slice(&json).map_err(|_| wrong())?;
    if of == list { Ok(Some(place)) } else { Err(wrong()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_is_good_for_its_own_list_only() {
        let cursor = write("messages of user:a", &(5, "x"));
        assert_eq!(read("messages of user:a", Some(&cursor)).unwrap(), Some((5, "x".to_owned())));
        assert!(read::<(i64, String)>("messages of user:b", Some(&cursor)).is_err());
        assert!(read::<(i64, String)>("messages of user:a", Some("garbage!")).is_err());
        assert_eq!(read::<u64>("anything", None).unwrap(), None);
    }
}
