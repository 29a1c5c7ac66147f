//! Text that came from outside, as people and programs may be shown it.
//!
//! A terminal obeys control characters, and an editor or a browser may be turned around by bidirectional ones. So every
//! word, file name and argument that is printed goes through [`visible`], and every JSON object through `json`.

use std::borrow::Cow;
#[cfg(feature = "json")]
use std::fmt::Write as _;

/// Whether a character changes how the text around it is shown instead of being shown itself.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

/// The text with everything escaped that a terminal would obey.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unsafe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for character in text.chars() {
        if is_unsafe(character) {
            shown.extend(character.escape_default());
        } else {
            shown.push(character);
        }
    }
    Cow::Owned(shown)
}

/// The text with everything escaped that a terminal would obey, line breaks excepted: for messages of several lines.
pub fn visible_lines(text: &str) -> String {
    let lines: Vec<Cow<'_, str>> = text.split('\n').map(visible).collect();
    lines.join("\n")
}

/// Appends plain data as JSON in which every character that a terminal would obey is escaped.
#[cfg(feature = "json")]
pub fn json(data: &impl serde::Serialize, out: &mut Vec<u8>) {
    let mut serializer = serde_json::Serializer::with_formatter(out, VisibleFormatter);
    data.serialize(&mut serializer).expect("plain data can be written as JSON");
}

/// Plain data as a JSON text.
#[cfg(feature = "json")]
pub fn to_json(data: &impl serde::Serialize) -> Vec<u8> {
    let mut out = Vec::new();
    json(data, &mut out);
    out
}

/// Compact JSON in which what [`visible`] escapes is escaped as `\uXXXX`.
#[cfg(feature = "json")]
struct VisibleFormatter;

#[cfg(feature = "json")]
impl serde_json::ser::Formatter for VisibleFormatter {
    fn write_string_fragment<W: ?Sized + std::io::Write>(
        &mut self,
        out: &mut W,
        fragment: &str,
    ) -> std::io::Result<()> {
        if !fragment.contains(is_unsafe) {
            return out.write_all(fragment.as_bytes());
        }
        let mut escaped = String::with_capacity(fragment.len() + 8);
        for character in fragment.chars() {
            if is_unsafe(character) {
                // Every character that is unsafe has one UTF-16 unit.
                write!(escaped, "\\u{:04x}", u32::from(character)).expect("a string takes any text");
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
    fn what_a_terminal_would_obey_is_escaped() {
        assert_eq!(visible("plain кот ağaç"), "plain кот ağaç");
        assert_eq!(visible("a\x1b[31mb\u{9b}c\u{7f}\u{202e}d"), r"a\u{1b}[31mb\u{9b}c\u{7f}\u{202e}d");
        assert_eq!(visible_lines("a\nb\tc"), "a\nb\\tc");
    }

    #[cfg(feature = "json")]
    #[test]
    fn json_holds_no_character_that_a_terminal_would_obey() {
        let mut out = Vec::new();
        json(&["a\u{9b}\u{7f}\u{202e}\n\"кот\""], &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), "[\"a\\u009b\\u007f\\u202e\\n\\\"кот\\\"\"]");
    }
}
