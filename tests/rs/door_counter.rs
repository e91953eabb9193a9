// verdict: unsafe
// error: attempt to add with overflow
// A counter inside an enum overflows after 256 steps.
use uforia::any;

#[derive(Clone, Copy)]
enum Door {
    Open { by: u8 },
    Closed,
    Locked(u16),
}
fn step(door: Door, event: u8) -> Door {
    match (door, event) {
        (Door::Open { by }, 0) if by > 3 => Door::Closed,
        (Door::Open { by }, _) => Door::Open { by: by + 1 },
        (Door::Closed, 1) => Door::Locked(7),
        (Door::Locked(code), 2) if code == 7 => Door::Closed,
        (Door::Closed, 3) => Door::Open { by: 0 },
        (other, _) => other,
    }
}

fn main() {
    let mut door = Door::Closed;
    for _ in 0..300 {
        door = step(door, any());
    }
}
