// Two traffic lights. The harness has no bound on the number of steps.
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

#[cfg(kani)]
mod verification {
    use super::*;

    #[kani::proof]
    #[kani::unwind(10)]
    fn never_both() {
        let (mut north, mut east) = (Light::Green, Light::Red);
        while kani::any() {
            if kani::any() {
                if east == Light::Red || north != Light::Red {
                    north = next(north);
                }
            } else if north == Light::Red || east != Light::Red {
                east = next(east);
            }
            assert!(north == Light::Red || east == Light::Red);
        }
    }
}
