use std::collections::{HashMap, VecDeque};
use std::hash::Hash;

/// How many that are gone may wait at least, so that the queue is not tidied all the time.
const SLACK: usize = 64;

/// A map that forgets what has not been used for long when its values outgrow a number of bytes.
///
/// The values wait in a queue in the order they came. To use one is to note it and no more: only when its turn to go has come
/// it is sent back to the end, if it was used in the meantime.
pub(crate) struct ByteCache<K, V> {
    most_bytes: usize,
    bytes: usize,
    tick: u64,
    entries: HashMap<K, Entry<V>>,
    /// Since when each waits. Where an entry says otherwise it is gone or stands further back.
    queue: VecDeque<(u64, K)>,
}

struct Entry<V> {
    value: V,
    bytes: usize,
    waits_since: u64,
    is_used: bool,
}

impl<K: Hash + Eq + Clone, V> ByteCache<K, V> {
    pub(crate) fn new(most_bytes: usize) -> Self {
        ByteCache { most_bytes, bytes: 0, tick: 0, entries: HashMap::new(), queue: VecDeque::new() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|entry| &entry.value)
    }

    /// The value, which is used by that.
    pub(crate) fn get(&mut self, key: &K) -> Option<&mut V> {
        let entry = self.entries.get_mut(key)?;
        entry.is_used = true;
        Some(&mut entry.value)
    }

    /// Puts a value in; what no longer fits goes, but never the value itself.
    pub(crate) fn insert(&mut self, key: K, value: V, bytes: usize) {
        self.remove(&key);
        self.tick += 1;
        self.queue.push_back((self.tick, key.clone()));
        self.entries.insert(key, Entry { value, bytes, waits_since: self.tick, is_used: false });
        self.bytes += bytes;
        self.shrink();
    }

    /// Says anew how large a value is.
    pub(crate) fn resize(&mut self, key: &K, bytes: usize) {
        if let Some(entry) = self.entries.get_mut(key) {
            self.bytes = self.bytes - entry.bytes + bytes;
            entry.bytes = bytes;
        }
        self.shrink();
    }

    /// Keeps only what `keep` says.
    pub(crate) fn retain(&mut self, mut keep: impl FnMut(&K, &V) -> bool) {
        let gone: Vec<K> = self
            .entries
            .iter()
            .filter(|(key, entry)| !keep(key, &entry.value))
            .map(|(key, _)| key.clone())
            .collect();
        for key in &gone {
            self.remove(key);
        }
    }

    pub(crate) fn remove(&mut self, key: &K) -> Option<V> {
        let entry = self.entries.remove(key)?;
        self.bytes -= entry.bytes;
        // What is gone must not wait for ever.
        if self.queue.len() > 2 * self.entries.len() + SLACK {
            let entries = &self.entries;
            let waits =
                |(since, key): &(u64, K)| entries.get(key).is_some_and(|entry| entry.waits_since == *since);
            self.queue.retain(waits);
        }
        Some(entry.value)
    }

    fn shrink(&mut self) {
        let newest = self.tick;
        while self.bytes > self.most_bytes && self.entries.len() > 1 {
            let Some((since, key)) = self.queue.pop_front() else { return };
            let Some(entry) = self.entries.get_mut(&key).filter(|entry| entry.waits_since == since) else {
                continue;
            };
            if entry.is_used || since == newest {
                self.tick += 1;
                (entry.is_used, entry.waits_since) = (false, self.tick);
                self.queue.push_back((self.tick, key));
            } else {
                self.bytes -= entry.bytes;
                self.entries.remove(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_used_goes_first() {
        let mut cache = ByteCache::new(100);
        cache.insert("a", 1, 40);
        cache.insert("b", 2, 40);
        assert_eq!(cache.get(&"a"), Some(&mut 1));
        cache.insert("c", 3, 40);
        assert_eq!(cache.get(&"b"), None);
        assert_eq!(cache.get(&"a"), Some(&mut 1));
        assert_eq!(cache.bytes(), 80);
    }

    #[test]
    fn one_value_may_be_larger_than_the_cache() {
        let mut cache = ByteCache::new(10);
        cache.insert("a", 1, 5);
        cache.insert("b", 2, 50);
        assert_eq!(cache.get(&"a"), None);
        assert_eq!(cache.get(&"b"), Some(&mut 2));
        cache.resize(&"b", 8);
        assert_eq!(cache.bytes(), 8);
    }

    #[test]
    fn the_value_put_in_last_stays_however_much_the_others_were_used() {
        let mut cache = ByteCache::new(100);
        cache.insert("a", 1, 40);
        cache.insert("b", 2, 40);
        assert!(cache.get(&"a").is_some() && cache.get(&"b").is_some());
        cache.insert("c", 3, 70);
        assert_eq!(cache.get(&"a"), None);
        assert_eq!(cache.get(&"b"), None);
        assert_eq!(cache.get(&"c"), Some(&mut 3));
    }

    #[test]
    fn what_is_put_in_and_taken_out_again_leaves_nothing() {
        let mut cache = ByteCache::new(1_000_000);
        cache.insert(0, 0, 1);
        for key in 1..10_000 {
            cache.insert(key % 7 + 1, key, 1);
            cache.remove(&(key % 5 + 1));
        }
        assert!(cache.queue.len() < 200, "{}", cache.queue.len());
        assert_eq!(cache.bytes(), cache.entries.len());
        cache.retain(|key, _| *key == 0);
        assert_eq!((cache.bytes(), cache.get(&0)), (1, Some(&mut 0)));
    }
}
