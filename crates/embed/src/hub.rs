//! Fetches a model from a hub: the protocol of Hugging Face and its mirrors.

use futures::StreamExt;
use memoir_egress::{Client, EgressError, Follow, HeaderValue, Method, Request, StatusCode, Url, header};
use secrecy::{ExposeSecret, SecretString};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::path::{Path, PathBuf};
use std::time::Duration;
use thiserror::Error;
use tokio::fs;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

/// The files that a model is made of, and whether it can do without.
const FILES: &[(&str, bool)] = &[
    ("config.json", true),
    ("tokenizer.json", true),
    ("model.safetensors", true),
    ("1_Pooling/config.json", false),
    ("sentence_bert_config.json", false),
    ("tokenizer_config.json", false),
];

/// Names that are short for a repository.
const SHORT: &[(&str, &str)] = &[
    ("multilingual-e5-small", "intfloat/multilingual-e5-small"),
    ("multilingual-e5-base", "intfloat/multilingual-e5-base"),
    ("all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2"),
    ("bge-small-zh-v1.5", "BAAI/bge-small-zh-v1.5"),
    ("bge-small-en-v1.5", "BAAI/bge-small-en-v1.5"),
    ("bge-base-zh-v1.5", "BAAI/bge-base-zh-v1.5"),
];

/// The model that suits most: small, and at home in Chinese and English.
pub const SUGGESTED: &str = "multilingual-e5-small";

/// The largest description of a repository, and the largest file.
const LARGEST_LIST: usize = 4 << 20;
const LARGEST_FILE: u64 = 8 << 30;

/// Why a model could not be fetched.
#[derive(Debug, Error)]
pub enum PullError {
    /// A name that is none.
    #[error("{0} is no name of a model; write OWNER/NAME or one of {names}", names = short_names())]
    Name(String),
    /// The hub does not have it, or not for this token.
    #[error("the hub has no model {0}; check its name, or set HF_TOKEN if it is not public")]
    Absent(String),
    /// The repository lacks a file that we need.
    #[error("{repository} has no {file}; only BERT-shaped sentence models with safetensors can be used")]
    Lacks {
        /// Where it was looked for.
        repository: String,
        /// What is missing.
        file: &'static str,
    },
    /// The hub cannot be reached or answers something else.
    #[error("the hub at {host} does not answer as it should: {reason}; set HF_ENDPOINT to use a mirror")]
    Hub {
        /// Where it is.
        host: String,
        /// What happened.
        reason: String,
    },
    /// A file came damaged.
    #[error("{0} came damaged (its checksum is another); run the same command again")]
    Damaged(String),
    /// The disk refused.
    #[error("cannot write {path}: {cause}")]
    Disk {
        /// What was being written.
        path: PathBuf,
        /// Why not.
        cause: std::io::Error,
    },
}

fn short_names() -> String {
    SHORT.iter().map(|(short, _)| *short).collect::<Vec<_>>().join(", ")
}

/// A hub.
#[derive(Debug, Clone)]
pub struct Hub {
    client: Client,
    endpoint: Url,
    token: Option<SecretString>,
}

/// How far a fetch has come.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'a> {
    /// Which file.
    pub file: &'a str,
    /// How many bytes of all files are here.
    pub done: u64,
    /// How many there are.
    pub total: u64,
}

#[derive(Deserialize)]
struct Repository {
    sha: String,
    siblings: Vec<Sibling>,
}

#[derive(Deserialize)]
struct Sibling {
    rfilename: String,
    #[serde(default)]
    size: Option<u64>,
    #[serde(default)]
    lfs: Option<Large>,
}

#[derive(Deserialize)]
struct Large {
    sha256: String,
    size: u64,
}

/// One file to fetch.
struct Wanted {
    name: &'static str,
    size: u64,
    sha256: Option<String>,
}

impl Hub {
    /// The hub at an address such as `https://huggingface.co`; a token for what is not public.
    pub fn new(client: Client, endpoint: Url, token: Option<SecretString>) -> Self {
        Hub { client, endpoint, token }
    }

    /// Fetches a model into `folder/NAME` and returns that folder. What an earlier attempt has fetched is not fetched
    /// again; nothing stands under the name before everything is there and checked.
    pub async fn pull(
        &self,
        name: &str,
        revision: &str,
        folder: &Path,
        mut progress: impl FnMut(Progress<'_>),
    ) -> Result<PathBuf, PullError> {
        let repository = repository_of(name)?;
        let short = repository.rsplit('/').next().unwrap_or(name);
        let (ready, partial) = (folder.join(short), folder.join(format!("{short}.partial")));
        let (commit, files) = self.list(&repository, revision).await?;
        let total: u64 = files.iter().map(|file| file.size).sum();
        let mut done = 0;
        for file in &files {
            let path = partial.join(file.name);
            let mut report = |bytes: u64| progress(Progress { file: file.name, done: done + bytes, total });
            self.fetch(&repository, &commit, file, &path, &mut report).await?;
            done += file.size;
        }
        if ready.exists() {
            fs::remove_dir_all(&ready).await.map_err(|cause| disk(&ready, cause))?;
        }
        fs::rename(&partial, &ready).await.map_err(|cause| disk(&ready, cause))?;
        Ok(ready)
    }

    /// The commit that a revision stands for, and the files to fetch.
    async fn list(&self, repository: &str, revision: &str) -> Result<(String, Vec<Wanted>), PullError> {
        let mut url = self.at(&format!("api/models/{repository}/revision/{revision}"))?;
        url.set_query(Some("blobs=true"));
        let request = self.request(url)?.at_most(LARGEST_LIST);
        let response = self.client.send(request).await.map_err(|error| self.trouble(&error))?;
        match response.status {
            StatusCode::NOT_FOUND | StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN => {
                return Err(PullError::Absent(repository.to_owned()));
            }
            status if !status.is_success() => return Err(self.odd(format!("it answered {status}"))),
            _ => {}
        }
        let found: Repository = serde_json::from_slice(&response.body)
            .map_err(|_| self.odd("its list of files cannot be read".to_owned()))?;
        let mut wanted = Vec::new();
        for (name, needed) in FILES {
            match found.siblings.iter().find(|sibling| sibling.rfilename == *name) {
                Some(sibling) => {
                    let size = sibling.lfs.as_ref().map(|large| large.size).or(sibling.size);
                    let size = size.filter(|size| *size <= LARGEST_FILE);
                    let size =
                        size.ok_or_else(|| self.odd(format!("it does not say how large {name} is")))?;
                    let sha256 = sibling.lfs.as_ref().map(|large| large.sha256.to_lowercase());
                    wanted.push(Wanted { name, size, sha256 });
                }
                None if *needed => {
                    return Err(PullError::Lacks { repository: repository.to_owned(), file: name });
                }
                None => {}
            }
        }
        Ok((found.sha, wanted))
    }

    async fn fetch(
        &self,
        repository: &str,
        commit: &str,
        wanted: &Wanted,
        path: &Path,
        report: &mut impl FnMut(u64),
    ) -> Result<(), PullError> {
        let at_disk = |cause| disk(path, cause);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent).await.map_err(at_disk)?;
        }
        let mut file = fs::File::options()
            .create(true)
            .truncate(false)
            .read(true)
            .write(true)
            .open(path)
            .await
            .map_err(at_disk)?;
        let mut hash = Sha256::new();
        let mut have = resume(&mut file, &mut hash, wanted.size).await.map_err(at_disk)?;
        report(have);
        if have < wanted.size {
            let url = self.at(&format!("{repository}/resolve/{commit}/{}", wanted.name))?;
            let mut request = self.request(url)?.at_most(usize::try_from(wanted.size).unwrap_or(usize::MAX));
            // As long as something keeps coming it may take its time.
            (request.deadline, request.idle) = (Duration::from_hours(6), Duration::from_secs(30));
            request.follow = Follow::Anywhere;
            if have > 0 {
                let range = HeaderValue::try_from(format!("bytes={have}-"));
                request = request.header(header::RANGE, range.map_err(|_| self.odd("the range".into()))?);
            }
            let mut answer = self.client.stream(request).await.map_err(|error| self.trouble(&error))?;
            match answer.status {
                StatusCode::PARTIAL_CONTENT => {}
                // It sends everything again.
                StatusCode::OK => {
                    file.set_len(0).await.map_err(at_disk)?;
                    file.rewind().await.map_err(at_disk)?;
                    (have, hash) = (0, Sha256::new());
                }
                status => return Err(self.odd(format!("it answered {status} for {}", wanted.name))),
            }
            while let Some(piece) = answer.body.next().await {
                let piece = match piece {
                    Ok(piece) => piece,
                    Err(error) => {
                        // What has come so far is kept for the next attempt.
                        file.flush().await.map_err(at_disk)?;
                        return Err(self.trouble(&error));
                    }
                };
                hash.update(&piece);
                file.write_all(&piece).await.map_err(at_disk)?;
                have += piece.len() as u64;
                report(have);
            }
        }
        file.sync_all().await.map_err(at_disk)?;
        let sum: String = hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
        if have != wanted.size || wanted.sha256.as_ref().is_some_and(|known| *known != sum) {
            // The next attempt begins anew.
            drop(file);
            fs::remove_file(path).await.map_err(at_disk)?;
            return Err(PullError::Damaged(wanted.name.to_owned()));
        }
        Ok(())
    }

    fn at(&self, path: &str) -> Result<Url, PullError> {
        let base = self.endpoint.as_str().trim_end_matches('/');
        Url::parse(&format!("{base}/{path}")).map_err(|_| self.odd("its address cannot be used".into()))
    }

    fn request(&self, url: Url) -> Result<Request, PullError> {
        let mut request = Request::new(Method::GET, url);
        if let Some(token) = &self.token {
            let mut value = HeaderValue::try_from(format!("Bearer {}", token.expose_secret()))
                .map_err(|_| self.odd("HF_TOKEN is not fit for a header".into()))?;
            value.set_sensitive(true);
            request = request.header(header::AUTHORIZATION, value);
        }
        Ok(request)
    }

    fn trouble(&self, error: &EgressError) -> PullError {
        self.odd(error.to_string())
    }

    fn odd(&self, reason: String) -> PullError {
        PullError::Hub { host: self.endpoint.host_str().unwrap_or_default().to_owned(), reason }
    }
}

/// Reads what an earlier attempt has left; more than there should be is thrown away.
async fn resume(file: &mut fs::File, hash: &mut Sha256, size: u64) -> std::io::Result<u64> {
    if file.metadata().await?.len() > size {
        file.set_len(0).await?;
    }
    let mut have = 0;
    let mut buffer = vec![0; 256 << 10];
    loop {
        let read = file.read(&mut buffer).await?;
        if read == 0 {
            return Ok(have);
        }
        hash.update(&buffer[..read]);
        have += read as u64;
    }
}

fn disk(path: &Path, cause: std::io::Error) -> PullError {
    PullError::Disk { path: path.to_owned(), cause }
}

/// `OWNER/NAME`, from that or a short name. Nothing that could lead elsewhere.
fn repository_of(name: &str) -> Result<String, PullError> {
    if let Some((_, repository)) = SHORT.iter().find(|(short, _)| short.eq_ignore_ascii_case(name)) {
        return Ok((*repository).to_owned());
    }
    let plain = |part: &str| {
        !part.is_empty()
            && !part.starts_with('.')
            && part.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.'))
    };
    match name.split_once('/') {
        Some((owner, model)) if plain(owner) && plain(model) => Ok(name.to_owned()),
        _ => Err(PullError::Name(name.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lead_to_repositories_and_nowhere_else() {
        assert_eq!(repository_of("multilingual-E5-small").unwrap(), "intfloat/multilingual-e5-small");
        assert_eq!(repository_of("BAAI/bge-small-zh").unwrap(), "BAAI/bge-small-zh");
        for bad in ["", "bge", "../etc", "a/../b", "a/b/c", "a/.hidden", "a b/c", "https://x/y"] {
            assert!(repository_of(bad).is_err(), "{bad}");
        }
    }
}
