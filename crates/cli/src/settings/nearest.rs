//! The setting that a mistaken name most likely meant.

use super::table::{PREFIX, Setting};

/// The setting of `table` whose name is most like `name`, which is written as in a file or as in the environment.
///
/// `None` only for an empty table.
pub(crate) fn nearest<'a>(name: &str, table: &'a [Setting]) -> Option<&'a Setting> {
    let wanted = plain(name.strip_prefix(PREFIX).unwrap_or(name));
    let likeness = |setting: &Setting| {
        let whole = strsim::sorensen_dice(&wanted, &plain(setting.name));
        let (section, key) = setting.section_and_key();
        let key = plain(key);
        // A word of the key inside another word: the zone of a timezone.
        let shares_a_word = key.split('_').any(|word| word.len() > 3 && wanted.contains(word));
        // The right section and a word of the key.
        if shares_a_word && wanted.strip_prefix(section).is_some_and(|rest| rest.starts_with('_')) {
            return whole + 1.0;
        }
        // The right key in the wrong section, or in none.
        if wanted.strip_suffix(&key).is_some_and(|rest| rest.is_empty() || rest.ends_with('_')) {
            return whole + 1.0;
        }
        if shares_a_word { whole + 0.2 } else { whole }
    };
    table.iter().max_by(|a, b| likeness(a).total_cmp(&likeness(b)))
}

/// A name in the one spelling in which all of them are compared.
fn plain(name: &str) -> String {
    name.to_lowercase().replace(['.', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::super::table::SETTINGS;
    use super::*;

    #[test]
    fn a_mistaken_name_finds_what_was_meant() {
        let table = [
            ("server.lisen", "server.listen"),
            ("sever.listen", "server.listen"),
            ("listen", "server.listen"),
            ("server.level", "log.level"),
            ("log-level", "log.level"),
            ("loglevel", "log.level"),
            ("data.directory", "data.dir"),
            ("store.queue_size", "store.queue_bytes"),
            ("session.idle_timeout", "session.idle"),
            ("server.timeout", "server.request_timeout"),
            ("job.worker", "jobs.workers"),
            ("timezone", "space.default_zone"),
            ("MEMOIR_SERVER__LISTEN", "server.listen"),
            ("MEMOIR_LISTEN", "server.listen"),
            ("MEMOIR_LOG_LEVLE", "log.level"),
            ("MEMOIR_STORE_MAXBYTES", "store.max_bytes"),
        ];
        for (name, meant) in table {
            assert_eq!(nearest(name, SETTINGS).map(|s| s.name), Some(meant), "{name}");
        }
    }
}
