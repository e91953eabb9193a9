//! How much memory the process may use, and how much it does.
//!
//! Without `--memory` the limit is three quarters of the smallest of RAM and the control
//! group's limit, and most of the address-space limit: better to say "out of memory" ourselves
//! than to be killed without a message. The numbers come from `/proc`; where there is none, there is
//! no limit.

/// The limits that are watched.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// On resident memory, in bytes.
    resident: Option<u64>,
    /// On the size of the address space, in bytes.
    address_space: Option<u64>,
}

impl MemoryLimit {
    /// The limits for this process; `chosen` replaces the one on resident memory.
    pub fn find(chosen: Option<u64>) -> Self {
        let address_space = address_space_limit();
        let found = [total_memory(), control_group_limit(), address_space].into_iter().flatten().min();
        MemoryLimit {
            resident: chosen.or(found.map(|bytes| bytes / 4 * 3)),
            // Close to the edge a large allocation fails, and that ends the process at once.
            address_space: address_space.map(|bytes| bytes / 16 * 15),
        }
    }
    /// No limits.
    pub fn none() -> Self {
        MemoryLimit { resident: None, address_space: None }
    }
    /// The limit on resident memory, in bytes.
    pub fn resident(&self) -> Option<u64> {
        self.resident
    }
    /// Whether the process uses more.
    pub fn exceeded(&self) -> bool {
        self.exceeded_by(0)
    }
    /// Whether it uses an eighth more than that.
    pub fn far_exceeded(&self) -> bool {
        self.exceeded_by(8)
    }
    /// Whether it uses more than the limits and one part in `part` of them; zero: than the limits.
    fn exceeded_by(&self, part: u64) -> bool {
        if self.resident.is_none() && self.address_space.is_none() {
            return false;
        }
        let Ok(status) = std::fs::read_to_string("/proc/self/status") else { return false };
        let more = |limit: u64| limit.saturating_add(limit.checked_div(part).unwrap_or(0));
        let over = |field: &str, limit: Option<u64>| match (kilobytes(&status, field), limit) {
            (Some(used), Some(limit)) => used > more(limit),
            _ => false,
        };
        over("VmRSS:", self.resident) || over("VmSize:", self.address_space)
    }
}

/// The most resident memory that the process has had, in bytes.
pub fn peak() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmHWM:")
}

/// The resident memory of the process now, in bytes.
pub fn resident() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/self/status").ok()?, "VmRSS:")
}

/// The value of a line such as `VmRSS:   1234 kB`, in bytes.
fn kilobytes(text: &str, field: &str) -> Option<u64> {
    let line = text.lines().find(|line| line.starts_with(field))?;
    line[field.len()..].split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

fn total_memory() -> Option<u64> {
    kilobytes(&std::fs::read_to_string("/proc/meminfo").ok()?, "MemTotal:")
}

/// The limit on the size of the address space, in bytes.
pub fn address_space_limit() -> Option<u64> {
    let limits = std::fs::read_to_string("/proc/self/limits").ok()?;
    let line = limits.lines().find(|line| line.starts_with("Max address space"))?;
    line["Max address space".len()..].split_whitespace().next()?.parse().ok()
}

/// The smallest limit on the way from this process's control group to the root.
fn control_group_limit() -> Option<u64> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let mut limits = Vec::new();
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (fields.next(), fields.next()) else { continue };
        let (mount, file) = match controllers {
            "" => ("/sys/fs/cgroup", "memory.max"),
            "memory" => ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
            _ => continue,
        };
        let mut path = path.trim_matches('/');
        loop {
            let text = std::fs::read_to_string(format!("{mount}/{path}/{file}")).unwrap_or_default();
            limits.extend(text.trim().parse::<u64>().ok());
            if path.is_empty() {
                break;
            }
            path = path.rsplit_once('/').map_or("", |(parent, _)| parent);
        }
    }
    limits.into_iter().min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tiny_limit_is_exceeded_and_a_huge_one_is_not() {
        assert!(MemoryLimit { resident: Some(4096), address_space: None }.exceeded());
        assert!(MemoryLimit { resident: None, address_space: Some(4096) }.exceeded());
        assert!(!MemoryLimit { resident: Some(u64::MAX), address_space: Some(u64::MAX) }.exceeded());
    }

    #[test]
    fn lines_of_proc_are_read_as_bytes() {
        assert_eq!(kilobytes("VmPeak:\t 8 kB\nVmRSS:\t  12 kB\n", "VmRSS:"), Some(12 * 1024));
        assert_eq!(kilobytes("", "VmRSS:"), None);
    }
}
