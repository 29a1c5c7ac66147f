//! Escapes text from outside before it is printed.
//!
//! A terminal executes control characters, and bidirectional characters change the order of the shown text. So every
//! word, file name and argument that is printed must pass through [`visible`], and every JSON object through `json`.

use std::borrow::Cow;
#[cfg(feature = "json")]
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Whether a character must be escaped, because it is invisible or changes how other text is shown.
fn needs_escape(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{061C}' | '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// The text with control, bidirectional and invisible characters escaped.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(needs_escape) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if needs_escape(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// The path for a message, escaped like [`visible`].
pub fn visible_path(path: &Path) -> String {
    visible(&path.to_string_lossy()).into_owned()
}

/// The paths for a message, in a list.
pub(crate) fn visible_paths(paths: &[PathBuf]) -> String {
    let paths: Vec<String> = paths.iter().map(|path| visible_path(path)).collect();
    paths.join(", ")
}

/// Like [`visible`], but keeps line feeds: for messages of several lines. Names in the message must be escaped before,
/// or a line feed in a name would look like the end of a line.
pub fn visible_lines(text: &str) -> String {
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(visible).collect();
    lines.join("\n")
}

/// Appends data as JSON. Characters that [`visible`] escapes are escaped here too.
#[cfg(feature = "json")]
pub fn json(data: &impl serde::Serialize, out: &mut Vec<u8>) {
    let mut serializer = serde_json::Serializer::with_formatter(out, VisibleFormatter);
    data.serialize(&mut serializer).expect("serializing plain data to memory cannot fail");
}

/// The data as JSON, see [`json`].
#[cfg(feature = "json")]
pub fn to_json(data: &impl serde::Serialize) -> Vec<u8> {
    let mut out = Vec::new();
    json(data, &mut out);
    out
}

/// The text with a line feed.
#[cfg(feature = "json")]
pub fn as_line(mut text: Vec<u8>) -> Vec<u8> {
    text.push(b'\n');
    text
}

/// Compact JSON that escapes the characters of [`visible`] as `\uXXXX`.
#[cfg(feature = "json")]
struct VisibleFormatter;

#[cfg(feature = "json")]
impl serde_json::ser::Formatter for VisibleFormatter {
    fn write_string_fragment<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> std::io::Result<()> {
        if !fragment.contains(needs_escape) {
            return out.write_all(fragment.as_bytes());
        }
        let mut escaped = String::with_capacity(fragment.len() + 8);
        for character in fragment.chars() {
            if needs_escape(character) {
                // All these characters are a single UTF-16 unit.
                write!(escaped, "\\u{:04x}", u32::from(character)).expect("writing to a string cannot fail");
            } else {
                escaped.push(character);
            }
        }
        out.write_all(escaped.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_and_bidirectional_characters_are_escaped() {
        assert_eq!(visible("plain кот ağaç"), "plain кот ağaç");
        assert_eq!(visible("a\x1b[31mb\u{9b}c\u{7f}\u{202e}d"), r"a\u{1b}[31mb\u{9b}c\u{7f}\u{202e}d");
        assert_eq!(visible("a\u{61c}b"), r"a\u{61c}b");
        assert_eq!(visible_lines("a\nb\tc"), "a\nb\\tc");
        assert_eq!(visible_path(Path::new("a b\nc")), r"a b\nc");
    }

    #[cfg(feature = "json")]
    #[test]
    fn control_and_bidirectional_characters_are_escaped_in_json() {
        let mut out = Vec::new();
        json(&["a\u{9b}\u{7f}\u{202e}\n\"кот\""], &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "[\"a\\u009b\\u007f\\u202e\\n\\\"кот\\\"\"]");
    }
}
