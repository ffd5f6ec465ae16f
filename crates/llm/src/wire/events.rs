/// Cuts a stream of bytes into the data of its server-sent events, wherever the pieces are cut.
#[derive(Debug, Default)]
pub(crate) struct EventReader {
    line: Vec<u8>,
    data: Option<String>,
    after_return: bool,
}

impl EventReader {
    /// The data of every event that these bytes complete.
    pub(crate) fn push(&mut self, bytes: &[u8]) -> Vec<String> {
        let mut events = Vec::new();
        for &byte in bytes {
            let second_half = byte == b'\n' && self.after_return;
            self.after_return = byte == b'\r';
            match byte {
                _ if second_half => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                _ => self.line.push(byte),
            }
        }
        events
    }

    /// The data of an event that the stream ended in.
    pub(crate) fn finish(mut self) -> Option<String> {
        let last = self.end_line();
        last.or(self.data)
    }

    fn end_line(&mut self) -> Option<String> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return self.data.take();
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.strip_prefix('\u{feff}').unwrap_or(&line);
        if let Some(data) = line.strip_prefix("data:") {
            let data = data.strip_prefix(' ').unwrap_or(data);
            match &mut self.data {
                Some(before) => {
                    before.push('\n');
                    before.push_str(data);
                }
                none => *none = Some(data.to_owned()),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(pieces: &[&[u8]]) -> Vec<String> {
        let mut reader = EventReader::default();
        let mut events: Vec<String> = pieces.iter().flat_map(|piece| reader.push(piece)).collect();
        events.extend(reader.finish());
        events
    }

    #[test]
    fn comments_names_and_line_ends_of_every_kind() {
        let text = ": keep-alive\r\n\r\nevent: x\r\ndata: 一\r\ndata:二\r\n\r\ndata: three\n\ndata: four\r\rid: 5\ndata: five";
        assert_eq!(read(&[text.as_bytes()]), ["一\n二", "three", "four", "five"]);
    }

    proptest! {
        #[test]
        fn it_does_not_matter_where_the_pieces_are_cut(cuts in prop::collection::vec(0usize..60, 0..8)) {
            let text = "data: 你好\r\n\r\n: x\ndata: {\"a\":\ndata: 1}\n\ndata: [DONE]\n\n".as_bytes();
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(text.len())).collect();
            cuts.sort_unstable();
            cuts.push(text.len());
            let mut from = 0;
            let pieces: Vec<&[u8]> = cuts.into_iter().map(|to| &text[std::mem::replace(&mut from, to)..to]).collect();
            prop_assert_eq!(read(&pieces), ["你好", "{\"a\":\n1}", "[DONE]"]);
        }
    }
}
