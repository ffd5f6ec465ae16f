//! Questions about past talk, told from other messages.

use memoir_when::intent;

/// Precision and recall over lines of a label, a language and a text.
fn judged<'a>(lines: impl Iterator<Item = (&'a str, &'a str, &'a str)>, language: &str) -> (f64, f64) {
    let (mut hits, mut said, mut are) = (0.0, 0.0, 0.0);
    for (label, _, text) in lines.filter(|(_, lang, _)| *lang == language) {
        let (is, found) = (label == "history", intent(text).history);
        hits += f64::from(u8::from(is && found));
        said += f64::from(u8::from(found));
        are += f64::from(u8::from(is));
    }
    (hits / said, hits / are)
}

#[test]
fn nearly_all_are_told_apart() {
    let own = include_str!("../data/intent.tsv").lines().skip(1);
    let own = own.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields[0], fields[2], fields[3])
    });
    let examined = include_str!("../data/examined.tsv").lines().skip(1);
    let examined = examined.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        (fields[1], fields[2], fields[3])
    });
    let all: Vec<_> = own.chain(examined).collect();
    assert!(all.len() > 1_000);
    for language in ["zh", "en"] {
        let (precision, recall) = judged(all.iter().copied(), language);
        assert!(precision >= 0.95 && recall >= 0.95, "{language}: {precision:.3} {recall:.3}");
    }
}
