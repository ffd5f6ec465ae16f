use memoir_model::Error;
use serde::Serialize;
use serde_json::json;

/// How a command speaks: to people, or to programs.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Output {
    json: bool,
}

impl Output {
    pub(crate) fn new(json: bool) -> Self {
        Output { json }
    }

    pub(crate) fn is_json(self) -> bool {
        self.json
    }

    /// Prints a result: the value for programs, the text for people.
    pub(crate) fn result(self, value: &impl Serialize, text: impl FnOnce() -> String) -> anyhow::Result<()> {
        if self.json {
            println!("{}", serde_json::to_string(value)?);
        } else {
            println!("{}", text());
        }
        Ok(())
    }

    /// A line for people; programs do not see it.
    pub(crate) fn line(self, text: &str) {
        if !self.json {
            println!("{text}");
        }
    }

    /// Says on the error stream why a command failed and what to do about it.
    pub(crate) fn failure(self, error: &anyhow::Error) {
        let known = error.downcast_ref::<Error>();
        let (message, remedy) = (format!("{error:#}"), known.map(|error| error.code().remedy()));
        if self.json {
            let code = known.map_or("failed", |error| error.code().as_str());
            let field = known.and_then(Error::field);
            let error = json!({ "code": code, "message": message, "remedy": remedy, "field": field });
            eprintln!("{}", json!({ "error": error }));
        } else {
            eprintln!("error: {message}");
            if let Some(remedy) = remedy {
                eprintln!("       {remedy}");
            }
        }
    }

    /// A progress bar on the error stream; none for programs or when nobody watches.
    pub(crate) fn progress(self, length: u64, template: &str) -> indicatif::ProgressBar {
        if self.json {
            return indicatif::ProgressBar::hidden();
        }
        let style = indicatif::ProgressStyle::with_template(template);
        indicatif::ProgressBar::new(length)
            .with_style(style.unwrap_or_else(|_| indicatif::ProgressStyle::default_bar()))
    }
}
