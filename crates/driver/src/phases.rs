//! How long engines spend in each of their phases, for `--stats` and the answer.
//!
//! An engine announces what it begins; what it did before ends then. Time is that of the engine's own thread where the
//! system reports it (Linux does), so that figures of a loaded machine can be compared; elsewhere it is the clock's.

use std::time::{Duration, Instant};

use report::answer::Span;

use crate::tuning::Tuning;

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

/// When an engine was in which phase, by the clock. If there are too many stretches, the shortest is merged with the one before or behind it.
#[derive(Clone, Default)]
pub struct Spans {
    /// The phase, and when it began and ended.
    ended: Vec<(&'static str, Instant, Instant)>,
    now: Option<(&'static str, Instant)>,
}

impl Spans {
    /// The engine begins this phase; none, at its end.
    pub fn begin(&mut self, phase: Option<&'static str>) {
        let now = Instant::now();
        if let Some((before, since)) = self.now.take() {
            self.add(before, since, now);
        }
        self.now = phase.map(|phase| (phase, now));
    }
    fn add(&mut self, phase: &'static str, from: Instant, to: Instant) {
        match self.ended.last_mut() {
            Some(last) if last.0 == phase => last.2 = to,
            _ => self.ended.push((phase, from, to)),
        }
        if self.ended.len() > Tuning::DEFAULT.max_spans {
            let pairs = 0..self.ended.len() - 1;
            let together = |&at: &usize| self.ended[at + 1].2 - self.ended[at].1;
            let at = pairs.min_by_key(together).expect("there are two or more");
            let second = self.ended.remove(at + 1);
            let first = &mut self.ended[at];
            let is_longer = second.2 - second.1 > first.2 - first.1;
            *first = (if is_longer { second.0 } else { first.0 }, first.1, second.2);
        }
    }
    /// The stretches in seconds since this moment; one under way ends now.
    pub fn list(&self, start: Instant) -> Vec<Span> {
        let running = self.now.map(|(phase, from)| (phase, from, Instant::now()));
        let seconds = |at: Instant| (at.saturating_duration_since(start).as_secs_f64() * 1000.0).round() / 1000.0;
        let span = |(phase, from, to): (&'static str, Instant, Instant)| Span {
            phase: phase.to_owned(),
            from: seconds(from),
            to: seconds(to),
        };
        self.ended.iter().copied().chain(running).map(span).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn too_many_stretches_are_merged_and_leave_no_gap() {
        let start = Instant::now();
        let mut spans = Spans::default();
        let most = Tuning::DEFAULT.max_spans;
        let at = |index: usize| start + Duration::from_millis(10 * index as u64);
        for index in 0..3 * most {
            spans.add(["search", "check"][index % 2], at(index), at(index + 1));
        }
        let list = spans.list(start);
        assert!(list.len() <= most && !list.is_empty());
        assert!(list.windows(2).all(|pair| pair[0].to == pair[1].from), "{list:?}");
        assert_eq!((list[0].from, list[list.len() - 1].to), (0.0, 0.03 * most as f64));
    }

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
