//! temp
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let (from, to): (u64, u64) = (a[1].parse().unwrap(), a[2].parse().unwrap());
    let model = if a[3] == "lp64" { cfront::DataModel::Lp64 } else { cfront::DataModel::Ilp32 };
    for seed in from..to {
        let text = testkit::cgen::generate(seed, &testkit::cgen::Config::for_seed(seed, model));
        std::fs::write(format!("{}/{seed}.c", a[4]), text).unwrap();
    }
}
