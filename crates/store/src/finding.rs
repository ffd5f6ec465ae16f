use serde::Serialize;

/// How bad a finding is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// As it should be.
    Fine,
    /// Works, but somebody should look at it.
    Warning,
    /// Something is broken.
    Broken,
}

/// One thing that an examination found, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How bad it is.
    pub severity: Severity,
    /// What was looked at.
    pub subject: String,
    /// What was found.
    pub finding: String,
    /// What to do about it; empty when all is well.
    pub remedy: String,
}

impl Finding {
    /// All is well with this.
    pub fn fine(subject: impl Into<String>, finding: impl Into<String>) -> Self {
        Finding {
            severity: Severity::Fine,
            subject: subject.into(),
            finding: finding.into(),
            remedy: String::new(),
        }
    }

    /// Somebody should look at this.
    pub fn warning(
        subject: impl Into<String>,
        finding: impl Into<String>,
        remedy: impl Into<String>,
    ) -> Self {
        let (subject, finding, remedy) = (subject.into(), finding.into(), remedy.into());
        Finding { severity: Severity::Warning, subject, finding, remedy }
    }

    /// This is broken.
    pub fn broken(subject: impl Into<String>, finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        let (subject, finding, remedy) = (subject.into(), finding.into(), remedy.into());
        Finding { severity: Severity::Broken, subject, finding, remedy }
    }

    /// What an invariant came to: so many rows for which it does not hold.
    pub fn of_invariant(subject: &'static str, rows: i64, broken: &str, remedy: &'static str) -> Self {
        if rows == 0 {
            Finding::fine(subject, "all fit together")
        } else {
            Finding::broken(subject, format!("{rows} {broken}"), remedy)
        }
    }

    /// How many jobs have failed for good.
    pub fn of_dead_jobs(count: i64) -> Self {
        if count == 0 {
            return Finding::fine("jobs", "none has failed for good");
        }
        let remedy = "look at them with GET /v1/jobs?state=dead and retry them with POST /v1/jobs/{id}/retry";
        Finding::warning("jobs", format!("{count} have failed for good"), remedy)
    }
}
