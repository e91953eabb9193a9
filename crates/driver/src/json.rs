//! JSON, as much of it as the answers need.

/// A JSON value.
#[derive(Clone, Debug)]
pub enum Json {
    /// A string.
    Text(String),
    /// Nothing.
    Null,
    /// A number.
    Number(u64),
    /// A time, in seconds with milliseconds.
    Seconds(std::time::Duration),
    /// A list.
    List(Vec<Json>),
    /// An object; its members keep their order.
    Object(Vec<(&'static str, Json)>),
}

impl Json {
    /// A string.
    pub fn text(text: impl Into<String>) -> Self {
        Json::Text(text.into())
    }
}

impl std::fmt::Display for Json {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Json::Text(text) => quoted(f, text),
            Json::Null => f.write_str("null"),
            Json::Seconds(time) => write!(f, "{:.3}", time.as_secs_f64()),
            Json::Number(number) => write!(f, "{number}"),
            Json::List(items) => {
                f.write_str("[")?;
                for (index, item) in items.iter().enumerate() {
                    write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
                }
                f.write_str("]")
            }
            Json::Object(members) => {
                f.write_str("{")?;
                for (index, (name, value)) in members.iter().enumerate() {
                    f.write_str(if index == 0 { "" } else { ", " })?;
                    quoted(f, name)?;
                    write!(f, ": {value}")?;
                }
                f.write_str("}")
            }
        }
    }
}

fn quoted(f: &mut std::fmt::Formatter<'_>, text: &str) -> std::fmt::Result {
    f.write_str("\"")?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\t' => f.write_str("\\t")?,
            c if c.is_control() => write!(f, "\\u{:04x}", u32::from(c))?,
            c => write!(f, "{c}")?,
        }
    }
    f.write_str("\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_escaped() {
        let value = Json::Object(vec![("a", Json::List(vec![Json::Number(1), Json::text("x\"\\\n\u{1}é")]))]);
        assert_eq!(value.to_string(), "{\"a\": [1, \"x\\\"\\\\\\n\\u0001é\"]}");
    }
}
