//! Reads lines of text and prints whether each asks for history: for trying things out.
#![expect(clippy::print_stdout, reason = "printing is what it is for")]

use std::io::BufRead;

fn main() {
    for line in std::io::stdin().lock().lines().map_while(Result::ok) {
        let intent = memoir_when::intent(&line);
        println!("{}\t{:.2}\t{}\t{}", intent.history, intent.score, intent.detail, intent.reason.as_str());
    }
}
