//! Programs that carry their verdict: each under every engine. An engine that is named must give it, and no engine may ever
//! give the opposite.

use crate::support::{Folder, root, uforia};

/// Every engine, and all together.
const ENGINES: [&str; 8] = ["portfolio", "bmc", "kind", "refine", "euf", "ufo", "explicit", "trace"];

/// The value of a leading comment `// key: value`, or `; key: value` in transition systems.
fn value<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    let comment = |line: &'a str| line.strip_prefix("// ").or_else(|| line.strip_prefix("; "));
    text.lines().find_map(|line| comment(line)?.strip_prefix(key)?.strip_prefix(": "))
}
fn said<'a>(text: &'a str, key: &str) -> &'a str {
    value(text, key).unwrap_or_else(|| panic!("the file says `// {key}: …`"))
}

#[test]
fn programs_get_the_verdict_they_carry_from_every_engine() {
    let mut files: Vec<_> =
        std::fs::read_dir(root().join("tests/verify")).expect("the folder is there").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    assert!(files.len() >= 15);
    let mut wrong = Vec::new();
    for file in files {
        let (path, name) = (file.path(), file.file_name());
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        let (verdict, opposite) = match said(&text, "verdict") {
            "safe" => ("SAFE", "UNSAFE"),
            "unsafe" => ("UNSAFE", "SAFE"),
            other => panic!("{name:?}: `{other}` is no verdict"),
        };
        let named: Vec<&str> = said(&text, "engines").split_whitespace().collect();
        assert!(named.iter().all(|name| ENGINES.contains(name)), "{name:?} names an engine that does not exist");
        for engine in ENGINES {
            // What one engine can do the portfolio can.
            let is_named = engine == "portfolio" || named.contains(&engine);
            let time = if is_named { "60s" } else { "1s" };
            let path = path.to_str().expect("names in tests are plain");
            let mut words = vec!["check", "-q", "--engine", engine, "--timeout", time, path];
            words.extend(value(&text, "options").unwrap_or_default().split_whitespace());
            let answer = uforia(&words);
            let last = answer.out.lines().last().unwrap_or_default();
            let word = last.split([':', ',']).next().unwrap_or_default();
            if word == opposite || answer.code == 70 || is_named && word != verdict {
                wrong.push(format!("{name:?} by {engine}: {last}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// At the end of the loop the counter is one beyond its bound, which only both bounds together say.
const COUNTED_TO_THE_BOUND: &str = "extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
int main(void)
{
    int last = __VERIFIER_nondet_int();
    if (last < 0 || last > 20000) return 0;
    int number = 0, total = 0;
    while (number <= last) {
        total += 4 * number;
        number++;
    }
    if (total != 2 * last * (last + 1)) reach_error();
    return 0;
}
";

#[test]
fn a_sum_up_to_a_bound_is_proved_and_another_refuted() {
    let folder = Folder::new("sum-to-bound");
    let file = folder.file("right.c", COUNTED_TO_THE_BOUND);
    uforia(&["check", "-q", "--engine", "kind", "--timeout", "60s", &file]).exits(0).answers("SAFE");
    let file = folder.file("wrong.c", COUNTED_TO_THE_BOUND.replace("(last + 1)", "(last + 2)"));
    uforia(&["check", "-q", "--engine", "kind", "--timeout", "60s", &file]).exits(1);
}

/// What is left is half of the total only if there was something: for a negative total no loop is entered.
const ONCE_ENTERED: &str = "extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int total = __VERIFIER_nondet_int();
    if (total > 50000)
        return 0;
    int left = total, paid = 0;
    while (paid < total) {
        left--;
        paid += 2;
    }
    for (int used = 0; used < total / 2; used++) {
        if (left <= 0)
            reach_error();
        left--;
    }
    return 0;
}
";

#[test]
fn what_holds_once_a_loop_is_entered_is_proved() {
    let folder = Folder::new("once-entered");
    let file = folder.file("right.c", ONCE_ENTERED);
    uforia(&["check", "-q", "--engine", "kind", "--timeout", "60s", &file]).exits(0).answers("SAFE");
    let file = folder.file("wrong.c", ONCE_ENTERED.replace("left <= 0", "left <= 1"));
    uforia(&["check", "-q", "--engine", "kind", "--timeout", "60s", &file]).exits(1);
}

/// That the rounds are the side holds if there are any; if not, both products are zero.
const SQUARE_OF_ODD_NUMBERS: &str = "extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

int main(void) {
    short rounds = __VERIFIER_nondet_short();
    long long side = 0, area = 0, round = 0;
    while (round < rounds) {
        round++;
        side++;
        area += 2 * side - 1;
    }
    if (area != side * side || rounds * side != side * side)
        reach_error();
    return 0;
}
";

#[test]
fn products_that_agree_for_another_reason_in_each_case_are_proved() {
    let folder = Folder::new("odd-numbers");
    let file = folder.file("right.c", SQUARE_OF_ODD_NUMBERS);
    uforia(&["check", "-q", "--engine", "kind", "--timeout", "60s", &file]).exits(0).answers("SAFE");
    let file = folder.file("wrong.c", SQUARE_OF_ODD_NUMBERS.replace("rounds * side !=", "rounds * rounds !="));
    uforia(&["check", "-q", "--engine", "kind", "--timeout", "60s", &file]).exits(1);
}

/// Checks the programs of the folder, with both data models, for the verdicts that they carry; how many are safe, and how many are not.
fn carried_verdicts(folder: &str, options: &[&str]) -> (usize, usize) {
    let (mut n_safe, mut n_unsafe) = (0, 0);
    for file in std::fs::read_dir(root().join(folder)).expect("the folder is there").flatten() {
        let text = std::fs::read_to_string(file.path()).expect("the file can be read");
        let path = file.path();
        let path = path.to_str().expect("names in tests are plain");
        for model in ["lp64", "ilp32"] {
            let usual = ["check", "-q", "--data-model", model, "--timeout", "60s", path];
            let answer = uforia(&[&usual[..], options].concat());
            if said(&text, "verdict") == "safe" {
                answer.exits(0).answers("SAFE");
                n_safe += 1;
            } else {
                answer.exits(1);
                n_unsafe += 1;
            }
        }
    }
    (n_safe, n_unsafe)
}

#[test]
fn loops_over_arrays_are_proved_by_what_holds_of_every_cell() {
    let (n_safe, n_unsafe) = carried_verdicts("tests/cells", &[]);
    assert!(n_safe >= 8 && n_unsafe >= 10);
}

#[test]
fn loops_over_arrays_are_proved_by_what_they_add_up() {
    let (n_safe, n_unsafe) = carried_verdicts("tests/totals", &["--property", "unreach-call"]);
    assert!(n_safe >= 4 && n_unsafe >= 6);
}

#[test]
fn what_holds_of_every_cell_is_printed() {
    let file = root().join("tests/cells/filled_then_asked.c");
    let answer = uforia(&["check", "--timeout", "60s", file.to_str().expect("names in tests are plain")]).exits(0);
    assert!(answer.out.contains(" // for all k, k < i: level[k] == 17\n"), "{answer:?}");
}

#[test]
fn what_holds_of_every_object_and_member_is_printed() {
    let list = uforia(&["check", "--timeout", "60s", "examples/list_of_ones.c"]).exits(0);
    for formula in ["o->value == 1", "o->next == 0 || allocated(o->next)"] {
        assert!(list.out.contains(&format!(" // for all o, allocated(o): {formula}\n")), "{list:?}");
    }
    let ring = uforia(&["check", "--engine", "ufo", "--timeout", "60s", "examples/ring_buffer.c"]).exits(0);
    assert!(ring.out.contains(" // ") && ring.out.contains("r.head"), "{ring:?}");
}

#[test]
fn loops_are_proved_by_relations_between_their_variables() {
    let folder = root().join("tests/relations");
    let mut n_files = 0;
    for file in std::fs::read_dir(folder).expect("the folder is there").flatten() {
        let path = file.path();
        let path = path.to_str().expect("names in tests are plain");
        uforia(&["check", "-q", "--engine", "kind", "--timeout", "60s", path]).exits(0).answers("SAFE");
        n_files += 1;
    }
    assert!(n_files >= 2);
}
