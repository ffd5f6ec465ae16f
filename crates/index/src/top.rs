//! Keeps the greatest of many.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The greatest `limit` seen, the least of them on top of the heap.
#[derive(Debug)]
pub(crate) struct Top<T> {
    limit: usize,
    seen: usize,
    heap: BinaryHeap<Reverse<T>>,
}

impl<T: Ord> Top<T> {
    pub(crate) fn new(limit: usize) -> Self {
        Self { limit, seen: 0, heap: BinaryHeap::new() }
    }

    pub(crate) fn push(&mut self, item: T) {
        self.seen += 1;
        if self.heap.len() < self.limit {
            self.heap.push(Reverse(item));
        } else if let Some(mut least) = self.heap.peek_mut()
            && least.0 < item
        {
            *least = Reverse(item);
        }
    }

    /// The least that is kept, once there are as many as were asked for: what is not greater need not be pushed.
    pub(crate) fn least(&self) -> Option<&T> {
        (self.heap.len() >= self.limit).then(|| self.heap.peek().map(|Reverse(item)| item)).flatten()
    }

    /// How many were pushed.
    pub(crate) fn seen(&self) -> usize {
        self.seen
    }

    pub(crate) fn greatest_first(self) -> impl Iterator<Item = T> {
        self.heap.into_sorted_vec().into_iter().map(|Reverse(item)| item)
    }
}
