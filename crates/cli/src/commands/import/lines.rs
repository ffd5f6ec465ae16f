use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

use super::checkpoint::Reached;

/// The longest line; a message has at most 64 KiB and an export's line some versions of it.
pub(crate) const LONGEST_LINE: usize = 16 << 20;
/// What some editors and exporters put before the first character of a file.
pub(crate) const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();

/// A file, line by line. However long a line is, no more than [`LONGEST_LINE`] bytes of it are held.
pub(crate) struct Lines {
    reader: BufReader<File>,
    line: Vec<u8>,
    reached: Reached,
}

/// One line, without white space around it.
pub(crate) enum Line<'a> {
    Whole(&'a [u8]),
    TooLong,
}

impl Lines {
    /// The lines from this place on.
    pub(crate) fn from(file: File, start: Reached) -> io::Result<Self> {
        let mut reader = BufReader::with_capacity(1 << 16, file);
        reader.seek(SeekFrom::Start(start.bytes))?;
        Ok(Lines { reader, line: Vec::new(), reached: start })
    }

    /// The place after the line that was read last.
    pub(crate) fn reached(&self) -> Reached {
        self.reached
    }

    /// The next line with its number, counted from 1; `None` at the end of the file.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u64, Line<'_>)>> {
        self.line.clear();
        let at_beginning = self.reached.bytes == 0;
        let read = self.reader.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', &mut self.line)?;
        if read == 0 {
            return Ok(None);
        }
        let cut = read == LONGEST_LINE && !self.line.ends_with(b"\n");
        let rest = if cut { self.reader.skip_until(b'\n')? } else { 0 };
        self.reached.bytes += (read + rest) as u64;
        self.reached.entries += 1;
        if cut {
            return Ok(Some((self.reached.entries, Line::TooLong)));
        }
        let mark = if at_beginning { BYTE_ORDER_MARK } else { b"" };
        let line = self.line.strip_prefix(mark).unwrap_or(&self.line);
        Ok(Some((self.reached.entries, Line::Whole(line.trim_ascii()))))
    }
}
