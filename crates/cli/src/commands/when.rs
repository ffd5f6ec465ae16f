use anyhow::Context;
use clap::{Args, ValueEnum};
use jiff::Timestamp;
use jiff::civil::DateTime;
use memoir_model::Zone;
use memoir_when::{Convention, Ends, Found, Prefer, Reading, find, intent};
use serde::Deserialize;
use serde_json::{Value, json};
use std::io::BufRead;
use std::process::ExitCode;

use crate::output::Output;
use crate::settings::Settings;

#[derive(Args)]
pub(crate) struct When {
    /// The sentence; with --jsonl sentences are read from the standard input instead.
    #[arg(required_unless_present = "jsonl")]
    text: Option<String>,
    /// The moment at which it is said: RFC 3339, or a wall-clock time in the zone; now when absent.
    #[arg(long, value_name = "TIME")]
    now: Option<String>,
    /// The zone of whoever says it: an IANA name or an offset; space.default_zone when absent.
    #[arg(long, value_name = "ZONE")]
    zone: Option<String>,
    /// Which reading comes first where words could mean a past or a coming time.
    #[arg(long, value_enum, default_value = "past")]
    prefer: Direction,
    /// Whether "from the 3rd to the 5th" takes the 5th in, or ends where it begins.
    #[arg(long, value_enum, default_value = "through")]
    ends: Last,
    /// Read lines of {"text", "now"?, "zone"?} from the standard input and write a JSON line for each.
    #[arg(long)]
    jsonl: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Direction {
    Past,
    Future,
}

#[derive(Clone, Copy, ValueEnum)]
enum Last {
    Through,
    Before,
}

/// A line of `--jsonl`.
#[derive(Deserialize)]
struct Line {
    text: String,
    now: Option<String>,
    zone: Option<String>,
}

impl When {
    pub(crate) fn run(self, settings: &Settings, output: Output) -> anyhow::Result<ExitCode> {
        let zone = self.zone.as_deref().unwrap_or(&settings.space.default_zone);
        let convention = Convention {
            prefer: match self.prefer {
                Direction::Past => Prefer::Past,
                Direction::Future => Prefer::Future,
            },
            ends: match self.ends {
                Last::Through => Ends::Through,
                Last::Before => Ends::Before,
            },
        };
        if self.jsonl {
            for (number, line) in std::io::stdin().lock().lines().enumerate() {
                let line = line?;
                if line.trim().is_empty() {
                    continue;
                }
                let line: Line = serde_json::from_str(&line).with_context(|| {
                    format!("line {} is not {{\"text\", \"now\"?, \"zone\"?}}", number + 1)
                })?;
                let asked = Asked::new(
                    line.now.as_deref().or(self.now.as_deref()),
                    line.zone.as_deref().unwrap_or(zone),
                    convention,
                )?;
                Output::new(true).result(&asked.read(&line.text), String::new)?;
            }
            return Ok(ExitCode::SUCCESS);
        }
        let (text, asked) =
            (self.text.unwrap_or_default(), Asked::new(self.now.as_deref(), zone, convention)?);
        output.result(&asked.read(&text), || asked.tell(&text))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// When and where something is said.
struct Asked {
    now: DateTime,
    zone: Zone,
    convention: Convention,
}

impl Asked {
    fn new(now: Option<&str>, zone: &str, convention: Convention) -> anyhow::Result<Self> {
        let zone: Zone = zone.parse()?;
        let now = match now {
            None => zone.at(Timestamp::now()).datetime(),
            Some(text) => match text.parse::<Timestamp>() {
                Ok(moment) => zone.at(moment).datetime(),
                Err(_) => text.parse().with_context(|| {
                    format!("--now {text} is no time; write 2026-01-07T12:00:00 or 2026-01-07T12:00:00Z")
                })?,
            },
        };
        Ok(Asked { now, zone, convention })
    }

    fn find(&self, text: &str) -> Vec<Found> {
        find(text, self.now, self.convention)
    }

    fn reading(&self, reading: &Reading) -> Value {
        let (start, end) = reading.moments(self.zone.time_zone());
        let shown = |moment: Option<Timestamp>| {
            moment.map(|moment| self.zone.at(moment).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string())
        };
        json!({ "start": shown(start), "end": shown(end), "grain": reading.grain().as_str() })
    }

    fn read(&self, text: &str) -> Value {
        let intent = intent(text);
        let times: Vec<Value> = self
            .find(text)
            .iter()
            .map(|found| {
                let mut value = self.reading(&found.reading);
                value["text"] = text.get(found.span.clone()).unwrap_or_default().into();
                value["span"] = json!([found.span.start, found.span.end]);
                value["alternatives"] =
                    found.alternatives.iter().map(|reading| self.reading(reading)).collect();
                value
            })
            .collect();
        json!({
            "text": text, "times": times,
            "history": { "asks": intent.history, "score": intent.score, "detail": intent.detail, "reason": intent.reason.as_str() },
        })
    }

    fn tell(&self, text: &str) -> String {
        let side = |at: Option<DateTime>| {
            at.map_or_else(
                || "…".to_owned(),
                |at| at.strftime("%Y-%m-%d %H:%M:%S").to_string().trim_end_matches(" 00:00:00").to_owned(),
            )
        };
        let stretch = |reading: &Reading| {
            format!("{} to {} ({})", side(reading.start), side(reading.end), reading.grain().as_str())
        };
        let mut lines: Vec<String> = Vec::new();
        for found in self.find(text) {
            lines.push(format!(
                "{}: {}",
                text.get(found.span.clone()).unwrap_or_default(),
                stretch(&found.reading)
            ));
            lines.extend(found.alternatives.iter().map(|reading| format!("    or {}", stretch(reading))));
        }
        if lines.is_empty() {
            lines.push("no time found".to_owned());
        }
        let intent = intent(text);
        let detail = if intent.detail { ", for particulars" } else { "" };
        lines.push(format!(
            "history: {} ({}{detail})",
            if intent.history { "yes" } else { "no" },
            intent.reason.as_str()
        ));
        lines.join("\n")
    }
}
