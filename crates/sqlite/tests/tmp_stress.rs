use std::path::Path;
use std::sync::Arc;
use memoir_sqlite::{Options, SqliteStore};
use memoir_store::conformance::fixtures::*;
use memoir_store::Row;
fn occ(folder: &Path, words: &str) -> usize {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let p = entry.unwrap().path();
        let bytes = std::fs::read(&p).unwrap();
        let n = bytes.windows(words.len()).filter(|w| *w == words.as_bytes()).count();
        if n > 0 { eprintln!("{} {} size {}", p.display(), n, bytes.len());
          for (i,w) in bytes.windows(words.len()).enumerate() { if w==words.as_bytes() { eprintln!("  at page {} off {}: {:?}", i/4096, i%4096, String::from_utf8_lossy(&bytes[i.saturating_sub(60)..(i+60).min(bytes.len())])); } } }
        count += n;
    }
    count
}
#[tokio::test]
async fn stress() {
    let mut seed: u64 = std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(1);
    let mut rnd = move || { seed ^= seed << 13; seed ^= seed >> 7; seed ^= seed << 17; seed };
    let folder = tempfile::Builder::new().disable_cleanup(true).tempdir_in("/tmp/stressdb").unwrap();
    let mut o = Options::at(folder.path().join("memoir.db"));
    o.durability = memoir_sqlite::Durability::Normal;
    let store: Empty = Arc::new(SqliteStore::open(&o).unwrap());
    let mut rooms = Vec::new();
    for n in 0..60u64 {
        let room = Room::open(&store, "acme", &format!("user:{n}"), rnd()).await;
        rooms.push((room, Vec::new(), format!("mulberry{n:03}x")));
    }
    for turn in 0..4000 {
        let k = (rnd() % 60) as usize;
        let (room, rows, words) = &mut rooms[k];
        let len = match rnd() % 10 { 0..=5 => rnd() % 60, 6..=8 => rnd() % 700, _ => rnd() % 6000 } as usize;
        let row = room.draft(&format!("m{turn}"), &format!("{words} {}", "z".repeat(len)));
        room.append(vec![row.clone()]).await.unwrap();
        rows.push(row);
        if rnd() % 3 == 0 && rows.len() > 3 {
            let i = (rnd() % rows.len() as u64) as usize;
            let len = (rnd() % 1500) as usize;
            let new = room.edit(&rows[i], &format!("{words} {}", "y".repeat(len))).await;
            rows[i] = new;
        }
    }
    let (room, rows, words) = &rooms[30];
    for row in rows { room.erase(row).await; }
    assert_eq!(occ(folder.path(), words), 0, "erase message");
    let (room, _, words) = &rooms[31];
    room.put(vec![Row::EraseSpace]).await.unwrap();
    assert_eq!(occ(folder.path(), words), 0, "erase space");
}
