//! What is embedded: sentences as people send them.

/// The parts of a sentence.
const WHO: [&str; 8] = [
    "My sister",
    "The landlord",
    "Our teacher",
    "His doctor",
    "A friend of mine",
    "The new neighbour",
    "Anna",
    "My boss",
];
const DOES: [&str; 8] = ["bought", "forgot", "sold", "repaired", "lost", "painted", "borrowed", "cleaned"];
const WHAT: [&str; 8] = [
    "the old bicycle",
    "a red kitchen table",
    "his winter coat",
    "the garden chairs",
    "her guitar",
    "the spare keys",
    "a camera",
    "the blue car",
];
const WHEN: [&str; 4] = ["yesterday.", "last week.", "in March.", "on Sunday."];

/// So many sentences of about ten tokens, all different for the first 2,048.
pub(super) fn short(count: usize) -> Vec<String> {
    let sentence = |at: usize| {
        let parts = [WHO[at % 8], DOES[at / 8 % 8], WHAT[(at + at / 64) % 8], WHEN[at / 512 % 4]];
        parts.join(" ")
    };
    (0..count).map(|at| sentence(at * 37)).collect()
}

/// So many paragraphs of about 120 tokens.
pub(super) fn long(count: usize) -> Vec<String> {
    short(count * 13).chunks(13).map(|sentences| sentences.join(" ")).collect()
}
