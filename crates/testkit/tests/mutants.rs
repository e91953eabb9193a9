//! Evidence and its mutants: `certify` accepts exactly what a walk through all states accepts. The long run is
//! `cargo xtask certify-mutants`.

#[test]
fn exactly_the_right_evidence_is_accepted() {
    let tally = testkit::mutants::run(500, 1, &mut |_| Ok(())).unwrap_or_else(|difference| panic!("{difference}"));
    assert!(tally.accepted >= 75 && tally.refused >= 250, "{tally:?}");
}
