//! What a measurement prints: notes, aligned tables, and the ratios that bind.

use serde::Serialize;
use serde_json::{Value, json};

/// The outcome of one subcommand.
pub(crate) struct Report {
    /// Which subcommand.
    pub(crate) command: &'static str,
    /// Whether it was a smoke run, of which nothing binds.
    pub(crate) quick: bool,
    /// How it was measured, a sentence each.
    pub(crate) notes: Vec<String>,
    /// For people.
    pub(crate) tables: Vec<Table>,
    /// The same for programs, and what did not fit into a table.
    pub(crate) figures: Value,
    /// What must hold.
    pub(crate) bindings: Vec<Binding>,
}

impl Report {
    /// Whether nothing that binds was missed.
    pub(crate) fn passes(&self) -> bool {
        self.quick || self.bindings.iter().all(Binding::holds)
    }

    /// For people.
    pub(crate) fn text(&self) -> String {
        let mut text = format!("memoir-bench {}{}\n", self.command, if self.quick { " --quick" } else { "" });
        for note in &self.notes {
            text.push_str(&format!("  {note}\n"));
        }
        for table in &self.tables {
            text.push_str(&format!("\n{}", table.text()));
        }
        text.push('\n');
        for binding in &self.bindings {
            text.push_str(&format!("{}\n", binding.line(self.quick)));
        }
        text.trim_end().to_owned()
    }

    /// For programs.
    pub(crate) fn json(&self) -> String {
        let bindings: Vec<Value> = self.bindings.iter().map(Binding::json).collect();
        json!({
            "command": self.command,
            "quick": self.quick,
            "passes": self.passes(),
            "notes": self.notes,
            "figures": self.figures,
            "bindings": bindings,
        })
        .to_string()
    }
}

/// A figure that must keep to a limit.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct Binding {
    name: String,
    value: f64,
    limit: f64,
    at_least: bool,
}

impl Binding {
    /// Must reach the limit.
    pub(crate) fn at_least(name: impl Into<String>, value: f64, limit: f64) -> Self {
        Binding { name: name.into(), value, limit, at_least: true }
    }

    /// Must not pass the limit.
    pub(crate) fn at_most(name: impl Into<String>, value: f64, limit: f64) -> Self {
        Binding { name: name.into(), value, limit, at_least: false }
    }

    fn holds(&self) -> bool {
        if self.at_least { self.value >= self.limit } else { self.value <= self.limit }
    }

    fn line(&self, quick: bool) -> String {
        let Binding { name, value, limit, at_least } = self;
        let (sign, verdict) =
            (if *at_least { ">=" } else { "<=" }, if self.holds() { "holds" } else { "MISSED" });
        let aside = if quick { " (a smoke run: does not bind)" } else { "" };
        format!("{name}: {value:.2} (must be {sign} {limit:.2}) {verdict}{aside}")
    }

    fn json(&self) -> Value {
        json!({
            "name": self.name, "value": self.value, "limit": self.limit,
            "must_be": if self.at_least { "at_least" } else { "at_most" }, "holds": self.holds(),
        })
    }
}

/// Rows under a heading; the first column is to the left, numbers are to the right.
pub(crate) struct Table {
    head: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns.
    pub(crate) fn new(head: &[&'static str]) -> Self {
        Table { head: head.to_vec(), rows: Vec::new() }
    }

    /// Adds a row.
    pub(crate) fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    fn text(&self) -> String {
        let head = || self.head.iter().map(ToString::to_string).collect::<Vec<_>>();
        let lines: Vec<Vec<String>> = std::iter::once(head()).chain(self.rows.iter().cloned()).collect();
        let width = |column: usize| {
            let cells = lines.iter().filter_map(|line| line.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or_default()
        };
        let widths: Vec<usize> = (0..self.head.len()).map(width).collect();
        let mut text = String::new();
        for line in &lines {
            let mut written = String::new();
            for (column, (cell, width)) in line.iter().zip(&widths).enumerate() {
                written.push_str(&match column {
                    0 => format!("{cell:<width$}"),
                    _ => format!("  {cell:>width$}"),
                });
            }
            text.push_str(written.trim_end());
            text.push('\n');
        }
        text
    }
}

/// A count with commas.
pub(crate) fn count(value: f64) -> String {
    let digits = format!("{value:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && !text.ends_with('-') {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(quick: bool, value: f64) -> Report {
        let mut table = Table::new(&["what", "rows/s"]);
        table.row(vec!["floor".into(), count(1_234.4)]);
        table.row(vec!["engine".into(), count(12.0)]);
        Report {
            command: "ingest",
            quick,
            notes: vec!["a note".into()],
            tables: vec![table],
            figures: json!({}),
            bindings: vec![Binding::at_least("engine / floor", value, 0.5)],
        }
    }

    #[test]
    fn a_report_has_notes_an_aligned_table_and_a_verdict() {
        let expected = "memoir-bench ingest\n  a note\n\nwhat    rows/s\nfloor    1,234\nengine      12\n\n\
                        engine / floor: 0.40 (must be >= 0.50) MISSED";
        assert_eq!(report(false, 0.4).text(), expected);
    }

    #[test]
    fn a_missed_ratio_fails_a_full_run_and_not_a_smoke_run() {
        assert!(!report(false, 0.4).passes());
        assert!(report(true, 0.4).passes());
        assert!(report(false, 0.5).passes());
        assert!(!Binding::at_most("x", 1.2, 1.15).holds());
    }

    #[test]
    fn counts_have_commas_between_thousands() {
        assert_eq!(count(1_234_567.0), "1,234,567");
        assert_eq!(count(999.0), "999");
        assert_eq!(count(-1_000.0), "-1,000");
    }
}
