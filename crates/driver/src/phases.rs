//! How long engines spend in each of their phases, for `--stats`.
//!
//! An engine announces what it begins; what it did before ends then. Time is that of the engine's own thread where the
//! system reports it (Linux does), so that figures of a loaded machine can be compared; elsewhere it is the clock's.

use std::time::{Duration, Instant};

/// The time spent, by engine and phase, in the order in which phases came first.
#[derive(Clone, Default)]
pub struct Phases {
    spent: Vec<(&'static str, &'static str, Duration)>,
    /// By engine: the phase it is in, and since when.
    now: Vec<(&'static str, &'static str, Reading)>,
}

/// What a clock showed.
#[derive(Clone, Copy)]
enum Reading {
    Thread(Duration),
    Wall(Instant),
}

impl Reading {
    /// Of the calling thread.
    fn now() -> Self {
        // The first number is what the thread has run, in nanoseconds.
        let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
        let run = text.and_then(|text| text.split_whitespace().next()?.parse().ok());
        run.map_or_else(|| Reading::Wall(Instant::now()), |run| Reading::Thread(Duration::from_nanos(run)))
    }
    fn since(self, earlier: Reading) -> Duration {
        match (earlier, self) {
            (Reading::Thread(earlier), Reading::Thread(later)) => later.saturating_sub(earlier),
            (Reading::Wall(earlier), _) => earlier.elapsed(),
            (Reading::Thread(_), Reading::Wall(_)) => Duration::ZERO,
        }
    }
}

impl Phases {
    /// The engine, on whose thread this is called, begins something else; nothing, at its end.
    pub fn begin(&mut self, engine: &'static str, phase: Option<&'static str>) {
        let reading = Reading::now();
        if let Some(at) = self.now.iter().position(|now| now.0 == engine) {
            let (_, before, since) = self.now.swap_remove(at);
            self.add(engine, before, reading.since(since));
        }
        self.now.extend(phase.map(|phase| (engine, phase, reading)));
    }
    fn add(&mut self, engine: &'static str, phase: &'static str, time: Duration) {
        match self.spent.iter_mut().find(|spent| (spent.0, spent.1) == (engine, phase)) {
            Some(spent) => spent.2 += time,
            None => self.spent.push((engine, phase, time)),
        }
    }
    /// The phases that have ended.
    pub fn spent(&self) -> &[(&'static str, &'static str, Duration)] {
        &self.spent
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_repeated_phase_is_listed_once_with_its_total_time() {
        let mut phases = Phases::default();
        for phase in [Some("work"), Some("rest"), Some("work"), None] {
            phases.begin("bmc", phase);
            if phase == Some("work") {
                let clock = Instant::now();
                while clock.elapsed() < Duration::from_millis(15) {
                    std::hint::black_box(1);
                }
            }
        }
        let names: Vec<&str> = phases.spent().iter().map(|spent| spent.1).collect();
        assert_eq!(names, ["work", "rest"]);
        assert!(phases.spent()[0].2 > phases.spent()[1].2);
    }

    #[test]
    fn a_phase_that_has_not_ended_is_not_listed() {
        let mut phases = Phases::default();
        phases.begin("bmc", Some("work"));
        assert!(phases.spent().is_empty());
        phases.begin("kind", Some("work"));
        phases.begin("kind", None);
        assert_eq!(phases.spent().iter().map(|spent| spent.0).collect::<Vec<_>>(), ["kind"]);
    }
}
