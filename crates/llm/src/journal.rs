use std::time::{Duration, Instant};

use crate::provider::Provider;
use crate::{Reason, Role, Usage};

/// What happens while a question is asked: each attempt goes into the metrics, and the whole becomes one line of the
/// log. Neither ever holds a text.
#[derive(Debug)]
pub(crate) struct Journal {
    role: Role,
    begun: Instant,
    attempt_begun: Instant,
    tries: usize,
    failures: Vec<(String, Reason)>,
    provider: String,
    written: bool,
}

impl Journal {
    pub(crate) fn begin(role: Role) -> Self {
        let now = Instant::now();
        Journal {
            role,
            begun: now,
            attempt_begun: now,
            tries: 0,
            failures: Vec::new(),
            provider: String::new(),
            written: false,
        }
    }

    /// A provider is asked.
    pub(crate) fn attempt(&mut self, provider: &Provider) {
        self.attempt_begun = Instant::now();
        self.provider.clone_from(&provider.name);
    }

    pub(crate) fn spent(&self, usage: Usage) {
        let tokens = |direction: &'static str, tokens: u64| {
            let (role, provider) = (self.role.as_str(), self.provider.clone());
            metrics::counter!(
                "memoir_llm_tokens_total", "role" => role, "provider" => provider, "direction" => direction
            )
            .increment(tokens);
        };
        tokens("prompt", usage.prompt);
        tokens("answer", usage.answer);
    }

    /// The attempt came to nothing.
    pub(crate) fn failed(&mut self, reason: Reason) {
        self.failures.push((self.provider.clone(), reason));
        if reason != Reason::NoKey {
            self.count(reason.as_str());
        }
    }

    /// The attempt gave an answer.
    pub(crate) fn succeeded(&mut self, outcome: &'static str) {
        self.count(outcome);
        self.write(outcome);
    }

    /// Nobody was asked, or everybody in vain.
    pub(crate) fn gave_up(&mut self, cause: &'static str) {
        self.provider.clear();
        self.write(cause);
    }

    /// The answer was known.
    pub(crate) fn remembered(&mut self) {
        self.write("cached");
    }

    pub(crate) fn tried(&self) -> Vec<(String, Reason)> {
        self.failures.clone()
    }

    fn count(&mut self, outcome: &'static str) {
        self.tries += 1;
        let (role, provider) = (self.role.as_str(), self.provider.clone());
        let labels = [("role", role.to_owned()), ("provider", provider), ("outcome", outcome.to_owned())];
        metrics::counter!("memoir_llm_attempts_total", &labels).increment(1);
        metrics::histogram!("memoir_llm_seconds", &labels).record(self.attempt_begun.elapsed().as_secs_f64());
    }

    fn write(&mut self, outcome: &'static str) {
        if std::mem::replace(&mut self.written, true) {
            return;
        }
        let (role, provider, tries) = (self.role.as_str(), self.provider.as_str(), self.tries);
        let milliseconds = self.begun.elapsed().max(Duration::from_millis(0)).as_millis() as u64;
        let failures: Vec<String> =
            self.failures.iter().map(|(provider, reason)| format!("{provider}: {reason}")).collect();
        let failed = failures.join(", ");
        // A provider without a key was never asked, which is nobody's failure as long as another answers.
        let quiet = self.failures.iter().all(|(_, reason)| *reason == Reason::NoKey);
        if quiet && !self.provider.is_empty() || outcome == "cached" {
            tracing::info!(role, provider, outcome, tries, milliseconds, "models were asked");
        } else {
            tracing::warn!(role, provider, outcome, tries, milliseconds, failed, "models were asked");
        }
    }
}

impl Drop for Journal {
    /// Whoever asked did not wait for the answer.
    fn drop(&mut self) {
        if !self.written {
            self.write("cancelled");
        }
    }
}
