//! Work that waits for a thread.

use parking_lot::{Condvar, Mutex};
use std::collections::VecDeque;
use tokio::sync::Semaphore;

use crate::Purpose;

/// How many jobs of a purpose may wait; whoever brings another waits as well.
const ROOM: usize = 64;
/// After so many questions in a row a document has its turn.
const IN_A_ROW: usize = 8;

/// Questions, which somebody waits for, and documents, which have time.
pub(super) struct Queue<J> {
    waiting: Mutex<Waiting<J>>,
    changed: Condvar,
    room: [Semaphore; 2],
}

struct Waiting<J> {
    questions: VecDeque<J>,
    documents: VecDeque<J>,
    in_a_row: usize,
    closed: bool,
}

impl<J> Queue<J> {
    pub(super) fn new() -> Self {
        let waiting =
            Waiting { questions: VecDeque::new(), documents: VecDeque::new(), in_a_row: 0, closed: false };
        Self {
            waiting: Mutex::new(waiting),
            changed: Condvar::new(),
            room: [Semaphore::new(ROOM), Semaphore::new(ROOM)],
        }
    }

    /// Waits for room. A job that comes after the end is dropped.
    pub(super) async fn push(&self, purpose: Purpose, job: J) {
        let Ok(permit) = self.room[purpose as usize].acquire().await else { return };
        let mut waiting = self.waiting.lock();
        if waiting.closed {
            return;
        }
        permit.forget();
        match purpose {
            Purpose::Query => waiting.questions.push_back(job),
            Purpose::Document => waiting.documents.push_back(job),
        }
        self.changed.notify_one();
    }

    /// The next job; waits for one. None after the end.
    pub(super) fn pop(&self) -> Option<J> {
        let mut waiting = self.waiting.lock();
        loop {
            if waiting.closed {
                return None;
            }
            if let Some((purpose, job)) = waiting.next() {
                self.room[purpose as usize].add_permits(1);
                return Some(job);
            }
            self.changed.wait(&mut waiting);
        }
    }

    /// Ends it: what still waits is dropped.
    pub(super) fn close(&self) {
        let mut waiting = self.waiting.lock();
        waiting.closed = true;
        waiting.questions.clear();
        waiting.documents.clear();
        self.room.iter().for_each(Semaphore::close);
        self.changed.notify_all();
    }
}

impl<J> Waiting<J> {
    fn next(&mut self) -> Option<(Purpose, J)> {
        let document_first = self.in_a_row >= IN_A_ROW && !self.documents.is_empty();
        if !document_first && let Some(job) = self.questions.pop_front() {
            self.in_a_row += 1;
            return Some((Purpose::Query, job));
        }
        self.in_a_row = 0;
        self.documents.pop_front().map(|job| (Purpose::Document, job))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    fn push(queue: &Queue<u32>, purpose: Purpose, job: u32) -> bool {
        queue.push(purpose, job).now_or_never().is_some()
    }

    #[test]
    fn questions_overtake_documents_but_not_forever() {
        let queue = Queue::new();
        for job in 0..3 {
            assert!(push(&queue, Purpose::Document, 100 + job));
        }
        for job in 0..10 {
            assert!(push(&queue, Purpose::Query, job));
        }
        let order: Vec<u32> = (0..13).filter_map(|_| queue.pop()).collect();
        assert_eq!(order, [0, 1, 2, 3, 4, 5, 6, 7, 100, 8, 9, 101, 102]);
    }

    #[test]
    fn whoever_brings_too_much_waits() {
        let queue = Queue::new();
        for job in 0..ROOM as u32 {
            assert!(push(&queue, Purpose::Document, job));
        }
        assert!(!push(&queue, Purpose::Document, 99));
        assert!(push(&queue, Purpose::Query, 1));
        queue.pop();
        queue.pop();
        assert!(push(&queue, Purpose::Document, 99));
    }

    #[test]
    fn after_the_end_there_is_nothing() {
        let queue = Queue::new();
        assert!(push(&queue, Purpose::Document, 1));
        queue.close();
        assert!(push(&queue, Purpose::Document, 2));
        assert_eq!(queue.pop(), None);
    }
}
