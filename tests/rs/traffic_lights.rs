// verdict: safe
// Two lights, never both not red; the loop has no bound.
use uforia::any;

#[derive(Clone, Copy, PartialEq)]
enum Light {
    Red,
    Green,
    Yellow,
}
fn next(light: Light) -> Light {
    match light {
        Light::Red => Light::Green,
        Light::Green => Light::Yellow,
        Light::Yellow => Light::Red,
    }
}

fn main() {
    let (mut north, mut east) = (Light::Green, Light::Red);
    while any::<bool>() {
        if any::<bool>() {
            if east == Light::Red || north != Light::Red {
                north = next(north);
            }
        } else if north == Light::Red || east != Light::Red {
            east = next(east);
        }
        assert!(north == Light::Red || east == Light::Red);
    }
}
