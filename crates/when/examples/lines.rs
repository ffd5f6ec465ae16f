//! Reads lines of `now<TAB>text` and prints what each means: for trying things out.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use memoir_when::{Prefer, find};
use std::io::BufRead;

fn main() {
    let prefer = if std::env::args().any(|a| a == "future") { Prefer::Future } else { Prefer::Past };
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let Some((now, text)) = line.split_once('\t') else { continue };
        let Ok(now) = now.parse() else { continue };
        let mut found = find(text, now, prefer);
        found.sort_by_key(|found| std::cmp::Reverse(found.span.len()));
        let show = |side: Option<jiff::civil::DateTime>| side.map_or("null".to_owned(), |at| at.to_string());
        match found.first() {
            Some(found) => println!(
                "{}\t{}\t{}",
                show(found.reading.start),
                show(found.reading.end),
                &text[found.span.clone()]
            ),
            None => println!("none\tnone\t"),
        }
    }
}
