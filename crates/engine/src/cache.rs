use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// A map that forgets what was used least recently when its values outgrow a number of bytes.
pub(crate) struct ByteCache<K, V> {
    most_bytes: usize,
    bytes: usize,
    tick: u64,
    entries: HashMap<K, Entry<V>>,
    by_use: BTreeMap<u64, K>,
}

struct Entry<V> {
    value: V,
    bytes: usize,
    used: u64,
}

impl<K: Hash + Eq + Clone, V> ByteCache<K, V> {
    pub(crate) fn new(most_bytes: usize) -> Self {
        ByteCache { most_bytes, bytes: 0, tick: 0, entries: HashMap::new(), by_use: BTreeMap::new() }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn values(&self) -> impl Iterator<Item = &V> {
        self.entries.values().map(|entry| &entry.value)
    }

    /// The value, now the most recently used.
    pub(crate) fn get(&mut self, key: &K) -> Option<&mut V> {
        let entry = self.entries.get_mut(key)?;
        self.tick += 1;
        self.by_use.remove(&entry.used);
        entry.used = self.tick;
        self.by_use.insert(self.tick, key.clone());
        Some(&mut entry.value)
    }

    /// Puts a value in; what no longer fits goes, but never the value itself.
    pub(crate) fn insert(&mut self, key: K, value: V, bytes: usize) {
        self.remove(&key);
        self.tick += 1;
        self.by_use.insert(self.tick, key.clone());
        self.entries.insert(key, Entry { value, bytes, used: self.tick });
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
        self.by_use.remove(&entry.used);
        self.bytes -= entry.bytes;
        Some(entry.value)
    }

    fn shrink(&mut self) {
        while self.bytes > self.most_bytes && self.entries.len() > 1 {
            let Some((_, oldest)) = self.by_use.pop_first() else { return };
            if let Some(entry) = self.entries.remove(&oldest) {
                self.bytes -= entry.bytes;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_used_least_recently_goes_first() {
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
}
