//! Threads that run a model.

use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

use super::queue::Queue;
use crate::{EmbedError, Purpose};

/// How many texts a thread takes at once: questions that come in the meantime do not wait long.
const TOGETHER: usize = 8;

/// Threads of their own, so that nothing that is computed holds up what waits for the network. They end when this is
/// dropped, which waits for what they are computing.
pub(super) struct Workers<T, O> {
    queue: Arc<Queue<Job<T, O>>>,
    threads: Vec<JoinHandle<()>>,
    /// How much there is to do for a text.
    size: fn(&T) -> usize,
}

/// Some texts of a request.
struct Job<T, O> {
    texts: Vec<T>,
    answer: oneshot::Sender<Result<Vec<O>, EmbedError>>,
}

impl<T: Send + 'static, O: Send + 'static> Workers<T, O> {
    /// Starts as many threads, which are called by this name and compute one output for each text.
    pub(super) fn start(
        name: &str,
        count: NonZeroUsize,
        size: fn(&T) -> usize,
        compute: impl Fn(&[T]) -> Result<Vec<O>, EmbedError> + Send + Sync + 'static,
    ) -> Result<Self, EmbedError> {
        let compute = Arc::new(compute);
        let mut workers = Self { queue: Arc::new(Queue::new()), threads: Vec::new(), size };
        for number in 1..=count.get() {
            let (queue, compute) = (Arc::clone(&workers.queue), Arc::clone(&compute));
            let thread = std::thread::Builder::new().name(format!("{name}-{number}"));
            let thread = thread.spawn(move || work(&queue, compute.as_ref()));
            let failed = |error| EmbedError::Model(format!("a thread cannot be started: {error}"));
            workers.threads.push(thread.map_err(failed)?);
        }
        Ok(workers)
    }

    /// One output for each text, in their order, computed by all threads.
    pub(super) async fn run(&self, texts: Vec<T>, purpose: Purpose) -> Result<Vec<O>, EmbedError> {
        let mut answers = Vec::new();
        for (places, texts) in parts(texts, self.size, self.threads.len()) {
            let (answer, coming) = oneshot::channel();
            self.queue.push(purpose, Job { texts, answer }).await;
            answers.push((places, coming));
        }
        let mut outputs = Vec::new();
        for (places, coming) in answers {
            let stopped = |_| EmbedError::Unfit("the model is stopping".into());
            outputs.extend(places.into_iter().zip(coming.await.map_err(stopped)??));
        }
        outputs.sort_unstable_by_key(|(place, _)| *place);
        Ok(outputs.into_iter().map(|(_, output)| output).collect())
    }
}

impl<T, O> Drop for Workers<T, O> {
    fn drop(&mut self) {
        self.queue.close();
        for thread in self.threads.drain(..) {
            // What it panicked with was told when it did.
            let _ = thread.join();
        }
    }
}

fn work<T, O>(queue: &Queue<Job<T, O>>, compute: &impl Fn(&[T]) -> Result<Vec<O>, EmbedError>) {
    while let Some(job) = queue.pop() {
        if job.answer.is_closed() {
            continue;
        }
        let outputs = catch_unwind(AssertUnwindSafe(|| compute(&job.texts)))
            .unwrap_or_else(|_| Err(EmbedError::Unfit("the model panicked".into())));
        // Whoever asked may have gone.
        let _ = job.answer.send(outputs);
    }
}

/// The texts and their places, divided so that every thread has about as much to do.
fn parts<T>(texts: Vec<T>, size: fn(&T) -> usize, threads: usize) -> Vec<(Vec<usize>, Vec<T>)> {
    let count = texts.len().div_ceil(TOGETHER).max(threads.min(texts.len()));
    let mut parts: Vec<_> = (0..count).map(|_| (Vec::new(), Vec::new())).collect();
    let mut longest_first: Vec<(usize, T)> = texts.into_iter().enumerate().collect();
    longest_first.sort_by_key(|(_, text)| std::cmp::Reverse(size(text)));
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

    fn lengths(texts: &[String]) -> Result<Vec<usize>, EmbedError> {
        Ok(texts.iter().map(String::len).collect())
    }

    fn start<O: Send + 'static>(
        count: NonZeroUsize,
        compute: impl Fn(&[String]) -> Result<Vec<O>, EmbedError> + Send + Sync + 'static,
    ) -> Workers<String, O> {
        Workers::start("test", count, String::len, compute).unwrap()
    }

    #[tokio::test]
    async fn outputs_come_in_the_order_of_the_texts() {
        let workers = start(two(), lengths);
        for count in [0, 1, 2, 3, 50] {
            let texts: Vec<String> = (0..count).map(|number| "x".repeat(number * 7 % 50)).collect();
            let wanted = lengths(&texts).unwrap();
            assert_eq!(workers.run(texts, Purpose::Document).await.unwrap(), wanted);
        }
    }

    #[tokio::test]
    async fn a_panic_is_an_error_and_the_thread_goes_on() {
        let workers = start(NonZeroUsize::MIN, |texts: &[String]| match texts[0].as_str() {
            "bad" => panic!("a test"),
            _ => lengths(texts),
        });
        let error = workers.run(vec!["bad".into()], Purpose::Query).await.unwrap_err();
        assert!(error.to_string().contains("panicked"), "{error}");
        assert!(workers.run(vec!["good".into()], Purpose::Query).await.is_ok());
    }

    #[tokio::test]
    async fn dropping_ends_the_threads() {
        let held = Arc::new(());
        let (inside, gone) = (Arc::clone(&held), Arc::downgrade(&held));
        drop(held);
        let workers = start(two(), move |texts: &[String]| {
            let _inside = &inside;
            lengths(texts)
        });
        assert!(workers.run(vec!["a".into()], Purpose::Query).await.is_ok());
        assert!(gone.upgrade().is_some());
        drop(workers);
        assert!(gone.upgrade().is_none());
    }

    #[tokio::test]
    async fn what_nobody_waits_for_is_not_computed() {
        let (started, mut starts) = tokio::sync::mpsc::unbounded_channel();
        let (go, gate) = std::sync::mpsc::channel::<()>();
        let gate = parking_lot::Mutex::new(gate);
        let workers = Arc::new(start(NonZeroUsize::MIN, move |texts: &[String]| {
            started.send(texts[0].clone()).unwrap();
            gate.lock().recv().unwrap();
            lengths(texts)
        }));
        let ask = |text: &str| {
            let (workers, text) = (Arc::clone(&workers), text.to_owned());
            tokio::spawn(async move { workers.run(vec![text], Purpose::Query).await })
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
        let parts = parts(texts, String::len, 2);
        assert_eq!(parts[0].1.concat().len(), parts[1].1.concat().len());
        assert_eq!(parts.len(), 2);
    }
}
