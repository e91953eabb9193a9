//! Quantities as people write them: `90s`, `5min`, `4GiB`, `0x1F`.

use std::time::Duration;

/// A duration: a number with `ms`, `s`, `min` or `h`; seconds when the unit is left out.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("`{text}` is not a duration: write it as 500ms, 60s, 5min or 1h")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not a duration: write it as 60s"))?;
    let duration = Duration::try_from_secs_f64(number * seconds).map_err(|_| format!("`{text}` is too long"))?;
    if duration.is_zero() { Err(format!("`{text}`: a time limit is longer than nothing")) } else { Ok(duration) }
}

/// An amount of memory in bytes: a number with `KiB`, `MiB`, `GiB`, `kB`, `MB`, `GB` (or K, M, G).
pub fn memory(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    let factor: f64 = match unit {
        "" | "B" => 1.0,
        "K" | "KiB" => 1024.0,
        "M" | "MiB" => 1048576.0,
        "G" | "GiB" => 1073741824.0,
        "T" | "TiB" => 1099511627776.0,
        "kB" | "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        _ => return Err(format!("`{text}` is not an amount of memory: write it as 500MiB or 4GiB")),
    };
    let number: f64 = number.parse().map_err(|_| format!("`{text}` is not an amount of memory: write it as 4GiB"))?;
    let bytes = number * factor;
    if bytes < 1.0 || bytes > u64::MAX as f64 { Err(format!("`{text}` is out of range")) } else { Ok(bytes as u64) }
}

pub use base::settings::count;

fn split(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim_start())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_have_units_and_seconds_are_the_default() {
        assert_eq!(duration("60"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("1.5min"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("250ms"), Ok(Duration::from_millis(250)));
        assert!(duration("0s").is_err());
        assert!(duration("-1s").is_err());
        assert!(duration("60 parsecs").is_err());
        assert!(duration("99999999999999999999999h").is_err());
    }

    #[test]
    fn memory_has_binary_and_decimal_units() {
        assert_eq!(memory("4GiB"), Ok(4 << 30));
        assert_eq!(memory("500 MB"), Ok(500_000_000));
        assert_eq!(memory("0.5G"), Ok(1 << 29));
        assert!(memory("0").is_err());
        assert!(memory("many").is_err());
    }

    #[test]
    fn counts_may_be_hexadecimal_and_grouped() {
        assert_eq!(count("1_000_000"), Ok(1_000_000));
        assert_eq!(count("0xff"), Ok(255));
        assert!(count("-1").is_err());
        assert!(count("18446744073709551616").is_err());
    }
}
