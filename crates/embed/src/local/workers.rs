//! Threads that embed.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

use super::queue::Queue;
use crate::{EmbedError, Purpose};

type Vectors = Result<Vec<Vec<f32>>, EmbedError>;

/// How many texts a thread takes at once: questions that come in the meantime do not wait long.
const TOGETHER: usize = 8;

/// Threads of their own, so that nothing that is computed holds up what waits for the network. They end when this is
/// dropped, which waits for what they are computing.
pub(super) struct Workers {
    queue: Arc<Queue<Job>>,
    threads: Vec<JoinHandle<()>>,
}

/// Some texts of a request.
struct Job {
    texts: Vec<String>,
    answer: oneshot::Sender<Vectors>,
}

impl Workers {
    pub(super) fn start(
        count: NonZeroUsize,
        embed: impl Fn(&[&str]) -> Vectors + Send + Sync + 'static,
    ) -> Result<Self, EmbedError> {
        let embed = Arc::new(embed);
        let mut workers = Self { queue: Arc::new(Queue::new()), threads: Vec::new() };
        for number in 1..=count.get() {
            let (queue, embed) = (Arc::clone(&workers.queue), Arc::clone(&embed));
            let thread = std::thread::Builder::new().name(format!("embed-{number}"));
            let thread = thread.spawn(move || work(&queue, embed.as_ref()));
            let failed = |error| EmbedError::Model(format!("a thread cannot be started: {error}"));
            workers.threads.push(thread.map_err(failed)?);
        }
        Ok(workers)
    }

    /// One vector for each text, in their order, computed by all threads.
    pub(super) async fn embed(&self, texts: Vec<String>, purpose: Purpose) -> Vectors {
        let wanted = texts.len();
        let mut answers = Vec::new();
        for (places, texts) in parts(texts, self.threads.len()) {
            let (answer, coming) = oneshot::channel();
            self.queue.push(purpose, Job { texts, answer }).await;
            answers.push((places, coming));
        }
        let mut vectors = vec![Vec::new(); wanted];
        for (places, coming) in answers {
            let stopped = |_| EmbedError::Unfit("the embedder is stopping".into());
            for (place, vector) in places.into_iter().zip(coming.await.map_err(stopped)??) {
                vectors[place] = vector;
            }
        }
        Ok(vectors)
    }
}

impl Drop for Workers {
    fn drop(&mut self) {
        self.queue.close();
        for thread in self.threads.drain(..) {
            // What it panicked with was told when it did.
            let _ = thread.join();
        }
    }
}

fn work(queue: &Queue<Job>, embed: &(impl Fn(&[&str]) -> Vectors + ?Sized)) {
    while let Some(job) = queue.pop() {
        if job.answer.is_closed() {
            continue;
        }
        let texts: Vec<&str> = job.texts.iter().map(String::as_str).collect();
        let vectors = catch_unwind(AssertUnwindSafe(|| embed(&texts)))
            .unwrap_or_else(|_| Err(EmbedError::Unfit("the embedder panicked".into())));
        // Whoever asked may have gone.
        let _ = job.answer.send(vectors);
    }
}

/// The texts and their places, divided so that every thread has about as much to do.
fn parts(texts: Vec<String>, threads: usize) -> Vec<(Vec<usize>, Vec<String>)> {
    let count = texts.len().div_ceil(TOGETHER).max(threads.min(texts.len()));
    let mut parts = vec![(Vec::new(), Vec::new()); count];
    let mut longest_first: Vec<(usize, String)> = texts.into_iter().enumerate().collect();
    longest_first.sort_by_key(|(_, text)| std::cmp::Reverse(text.len()));
    for (at, (place, text)) in longest_first.into_iter().enumerate() {
        let part = &mut parts[at % count];
        part.0.push(place);
        part.1.push(text);
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> NonZeroUsize {
        NonZeroUsize::new(2).unwrap()
    }

    fn lengths(texts: &[&str]) -> Vectors {
        Ok(texts.iter().map(|text| vec![text.len() as f32]).collect())
    }

    #[tokio::test]
    async fn vectors_come_in_the_order_of_the_texts() {
        let workers = Workers::start(two(), lengths).unwrap();
        for count in [0, 1, 2, 3, 50] {
            let texts: Vec<String> = (0..count).map(|number| "x".repeat(number * 7 % 50)).collect();
            let wanted: Vec<Vec<f32>> = texts.iter().map(|text| vec![text.len() as f32]).collect();
            assert_eq!(workers.embed(texts, Purpose::Document).await.unwrap(), wanted);
        }
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_the_thread_goes_on() {
        let embed = |texts: &[&str]| if texts.contains(&"bad") { panic!("a test") } else { lengths(texts) };
        let workers = Workers::start(NonZeroUsize::MIN, embed).unwrap();
        let error = workers.embed(vec!["bad".into()], Purpose::Query).await.unwrap_err();
        assert!(error.to_string().contains("panicked"), "{error}");
        assert!(workers.embed(vec!["good".into()], Purpose::Query).await.is_ok());
    }

    #[tokio::test]
    async fn dropping_ends_the_threads() {
        let held = Arc::new(());
        let (inside, gone) = (Arc::clone(&held), Arc::downgrade(&held));
        drop(held);
        let embed = move |texts: &[&str]| {
            let _inside = &inside;
            lengths(texts)
        };
        let workers = Workers::start(two(), embed).unwrap();
        assert!(workers.embed(vec!["a".into()], Purpose::Query).await.is_ok());
        assert!(gone.upgrade().is_some());
        drop(workers);
        assert!(gone.upgrade().is_none());
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_not_computed() {
        let (started, mut starts) = tokio::sync::mpsc::unbounded_channel();
        let (go, gate) = std::sync::mpsc::channel::<()>();
        let gate = parking_lot::Mutex::new(gate);
        let embed = move |texts: &[&str]| {
            started.send(texts[0].to_owned()).unwrap();
            gate.lock().recv().unwrap();
            lengths(texts)
        };
        let workers = Arc::new(Workers::start(NonZeroUsize::MIN, embed).unwrap());
        let ask = |text: &str| {
            let (workers, text) = (Arc::clone(&workers), text.to_owned());
            tokio::spawn(async move { workers.embed(vec![text], Purpose::Query).await })
        };
        let first = ask("first");
        assert_eq!(starts.recv().await.unwrap(), "first");
        let (second, third) = (ask("second"), ask("third"));
        tokio::task::yield_now().await;
        second.abort();
        assert!(second.await.unwrap_err().is_cancelled());
        go.send(()).unwrap();
        go.send(()).unwrap();
        assert!(first.await.unwrap().is_ok() && third.await.unwrap().is_ok());
        assert_eq!(starts.recv().await.unwrap(), "third");
    }

    #[test]
    fn the_longest_texts_go_to_different_threads() {
        let texts = ["aaaa", "b", "cccc", "d"].map(String::from).to_vec();
        let parts = parts(texts, 2);
        assert_eq!(parts[0].1.concat().len(), parts[1].1.concat().len());
        assert_eq!(parts.len(), 2);
    }
}
