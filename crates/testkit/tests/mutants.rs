//! Evidence and its mutants: `certify` accepts exactly what a walk through all states accepts.

#[test]
fn exactly_the_right_evidence_is_accepted() {
    let tally = testkit::mutants::run(2000, 1, &mut |_| Ok(())).unwrap_or_else(|difference| panic!("{difference}"));
    assert!(tally.accepted >= 300 && tally.refused >= 1000, "{tally:?}");
}
