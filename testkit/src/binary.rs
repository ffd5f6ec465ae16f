use serde_json::Value;
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The real `memoir` binary, with a data folder of its own.
pub struct Binary {
    program: PathBuf,
    data: PathBuf,
}

impl Binary {
    /// The program at this path (`env!("CARGO_BIN_EXE_memoir")`) working in this folder.
    pub fn new(program: impl Into<PathBuf>, data: impl Into<PathBuf>) -> Self {
        Binary { program: program.into(), data: data.into() }
    }

    /// The data folder.
    pub fn data(&self) -> &Path {
        &self.data
    }

    /// The store's file.
    pub fn store(&self) -> PathBuf {
        self.data.join("memoir.db")
    }

    /// A command with the data folder set and nothing else of our environment that could change a setting.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("MEMOIR_"))
        {
            command.env_remove(name);
        }
        command.args(arguments).env("MEMOIR_DATA_DIR", &self.data).stdin(Stdio::null());
        command
    }

    /// Runs a command to its end.
    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("the program runs")
    }

    /// Runs a command that must succeed and returns what it printed.
    pub fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "memoir {arguments:?} failed: {errors}");
        String::from_utf8(output.stdout).expect("UTF-8")
    }

    /// Runs a command that must fail and returns its exit code and what it said on the error stream.
    pub fn fail(&self, arguments: &[&str]) -> (i32, String) {
        let output = self.run(arguments);
        let errors = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!output.status.success(), "memoir {arguments:?} succeeded: {errors}");
        (output.status.code().expect("an exit code"), errors)
    }

    /// The lines of an export of a space.
    pub fn export(&self, space: &str) -> Vec<Value> {
        let lines = self.succeed(&["export", space]);
        lines.lines().map(|line| serde_json::from_str(line).expect("a line of JSON")).collect()
    }

    /// Runs a command with `--json` that must succeed and returns what it printed.
    pub fn json(&self, arguments: &[&str]) -> Value {
        let arguments: Vec<&str> = arguments.iter().copied().chain(["--json"]).collect();
        let text = self.succeed(&arguments);
        serde_json::from_str(&text).unwrap_or_else(|e| panic_with(&format!("not JSON ({e}): {text}")))
    }

    /// Starts the server on a free port and waits until it listens.
    pub fn serve(&self, further: &[(&str, &str)]) -> Process {
        let mut command = self.command(&["serve", "--json"]);
        command.env("MEMOIR_SERVER_LISTEN", "127.0.0.1:0").stdout(Stdio::piped()).stderr(Stdio::piped());
        command.envs(further.iter().copied());
        Process::start(command)
    }
}

/// A running server.
pub struct Process {
    child: Child,
    /// Where it listens.
    pub address: SocketAddr,
    errors: std::sync::Arc<std::sync::Mutex<String>>,
}

impl Process {
    /// Starts a command that serves, and waits for the line that says where it listens.
    pub fn start(mut command: Command) -> Self {
        crate::tls::choose();
        let mut child = command.spawn().expect("the program starts");
        let errors = std::sync::Arc::new(std::sync::Mutex::new(String::new()));
        let stderr = child.stderr.take().expect("its errors");
        let seen = errors.clone();
        std::thread::spawn(move || {
            for line in BufReader::new(stderr).lines().map_while(Result::ok) {
                let mut seen = seen.lock().unwrap();
                seen.push_str(&line);
                seen.push('\n');
            }
        });
        let mut output = BufReader::new(child.stdout.take().expect("its output"));
        let mut line = String::new();
        output.read_line(&mut line).expect("its first line");
        let started: Value = serde_json::from_str(&line).unwrap_or_else(|e| {
            std::thread::sleep(Duration::from_millis(200));
            panic_with(&format!("the server did not start ({e}): {line}{}", errors.lock().unwrap()))
        });
        let address = started["listening"].as_str().and_then(|text| text.strip_prefix("http://"));
        let address = address.and_then(|text| text.parse().ok()).expect("an address");
        std::thread::spawn(move || for _ in output.lines() {});
        Process { child, address, errors }
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    /// Its process id.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// What it has logged so far.
    pub fn log(&self) -> String {
        self.errors.lock().unwrap().clone()
    }

    /// Kills it without warning.
    pub fn kill(mut self) {
        self.child.kill().expect("it was running");
        self.child.wait().expect("it ends");
    }

    /// Asks it to stop, as a service manager would, and waits. Returns whether it ended well.
    pub fn terminate(mut self) -> bool {
        let asked = Command::new("kill").arg(self.child.id().to_string()).status().expect("kill runs");
        assert!(asked.success());
        let started = Instant::now();
        while started.elapsed() < Duration::from_secs(30) {
            if let Some(status) = self.child.try_wait().expect("it can be asked") {
                return status.success();
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

#[expect(clippy::panic, reason = "a test that cannot go on says why")]
fn panic_with(why: &str) -> ! {
    panic!("{why}")
}
