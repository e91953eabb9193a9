//! Each construct by a module whose `main` returns a number, executed by the interpreter.

use base::Budget;
use llfront::{Options, Property};
use program::interp::{Limits, Machine, Outcome, ZeroInputs};
use term::Terms;

/// The outcome of the only run of the module.
fn outcome(text: &str) -> Outcome {
    let mut terms = Terms::new();
    let options = Options { property: Property::Errors, entry: None };
    let compiled = llfront::compile("test.ll", text, &options, &mut terms).unwrap_or_else(|found| panic!("{found:?}"));
    let laws = program::validate(&compiled.program, &terms);
    assert_eq!(laws, Ok(()));
    let mut machine = Machine::new(&compiled.program, &terms).unwrap_or_else(|_| panic!("the program can be executed"));
    machine.run(&mut ZeroInputs, &Limits::default(), &Budget::unlimited(std::sync::Arc::default())).outcome
}

/// The body of `main` computes an `i32`; the error is reached unless it is this number.
fn check(body: &str, more: &str, expected: i32) {
    let text = format!(
        "target datalayout = \"e-p:64:64-i64:64\"\n{more}\ndeclare void @reach_error()\n\
         define i32 @compute() {{\n{body}\n}}\n\
         define i32 @main() {{\n  %r = call i32 @compute()\n  %c = icmp eq i32 %r, {expected}\n  br i1 %c, label %good, label %bad\n\
         bad:\n  call void @reach_error()\n  unreachable\ngood:\n  ret i32 0\n}}\n"
    );
    let found = outcome(&text);
    assert!(matches!(found, Outcome::Returned(_)), "{found:?} for {body}");
}

#[test]
fn integers_of_odd_widths() {
    check("  %a = add i7 100, 100\n  %b = zext i7 %a to i32\n  ret i32 %b", "", 200 % 128);
    check(
        "  %a = mul i128 18446744073709551616, 4\n  %b = lshr i128 %a, 64\n  %c = trunc i128 %b to i32\n  ret i32 %c",
        "",
        4,
    );
    check("  %a = sext i1 true to i32\n  ret i32 %a", "", -1);
    check("  %a = xor i1 true, true\n  %b = zext i1 %a to i32\n  ret i32 %b", "", 0);
}

#[test]
fn swapped_values_in_a_loop_are_assigned_at_once() {
    let body = "  br label %loop\nloop:\n  %i = phi i32 [ 0, %0 ], [ %n, %loop ]\n  %a = phi i32 [ 1, %0 ], [ %b, %loop ]\n  \
        %b = phi i32 [ 2, %0 ], [ %a, %loop ]\n  %n = add i32 %i, 1\n  %c = icmp ult i32 %n, 4\n  br i1 %c, label %loop, label %done\n\
        done:\n  %r = mul i32 %a, 10\n  %s = add i32 %r, %b\n  ret i32 %s";
    check(body, "", 21);
}

#[test]
fn a_value_read_from_a_slot_is_the_old_one_after_a_write() {
    let body = "  %x = alloca i32\n  store i32 5, ptr %x\n  %old = load i32, ptr %x\n  %more = add i32 %old, 1\n  \
        store i32 %more, ptr %x\n  store i32 70, ptr %x\n  %new = load i32, ptr %x\n  %r = sub i32 %new, %more\n  ret i32 %r";
    check(body, "", 64);
}

#[test]
fn a_value_of_a_slot_outlives_its_block() {
    let body = "  %x = alloca i32\n  store i32 5, ptr %x\n  %old = load i32, ptr %x\n  br label %next\nnext:\n  \
        store i32 9, ptr %x\n  %new = load i32, ptr %x\n  %r = add i32 %old, %new\n  ret i32 %r";
    check(body, "", 14);
}

#[test]
fn structures_arrays_and_constants() {
    let table = "%pair = type { i8, i32 }\n@table = constant [2 x %pair] [%pair { i8 1, i32 7 }, %pair { i8 2, i32 9 }]\n\
        @name = private constant [3 x i8] c\"ab\\00\"\n@place = global ptr getelementptr (i8, ptr @table, i64 12)";
    let body = "  %p = getelementptr inbounds [2 x %pair], ptr @table, i64 0, i64 1, i32 1\n  %a = load i32, ptr %p\n  \
        %q = load ptr, ptr @place\n  %b = load i32, ptr %q\n  %c = icmp eq i32 %a, %b\n  br i1 %c, label %same, label %other\n\
        same:\n  %s = getelementptr i8, ptr @name, i64 1\n  %t = load i8, ptr %s\n  %u = zext i8 %t to i32\n  ret i32 %u\n\
        other:\n  ret i32 0";
    check(body, table, 98);
}

#[test]
fn typed_pointers_of_llvm_14() {
    let body = "  %x = alloca [4 x i32], align 16\n  %p = getelementptr inbounds [4 x i32], [4 x i32]* %x, i64 0, i64 2\n  \
        store i32 11, i32* %p, align 4\n  %q = bitcast [4 x i32]* %x to i8*\n  %r = getelementptr i8, i8* %q, i64 8\n  \
        %s = bitcast i8* %r to i32*\n  %t = load i32, i32* %s, align 4\n  %f = load i32 (i32)*, i32 (i32)** @f\n  %u = call i32 %f(i32 %t)\n  ret i32 %u";
    let more =
        "@f = global i32 (i32)* @twice\ndefine internal i32 @twice(i32 %0) {\n  %2 = shl i32 %0, 1\n  ret i32 %2\n}";
    check(body, more, 22);
}

#[test]
fn values_with_several_parts_pass_calls() {
    let more = "define { i32, i1 } @both(i32 %x) {\n  %a = insertvalue { i32, i1 } poison, i32 %x, 0\n  \
        %b = insertvalue { i32, i1 } %a, i1 true, 1\n  ret { i32, i1 } %b\n}";
    let body = "  %p = call { i32, i1 } @both(i32 41)\n  %x = extractvalue { i32, i1 } %p, 0\n  %y = extractvalue { i32, i1 } %p, 1\n  \
        %z = zext i1 %y to i32\n  %r = add i32 %x, %z\n  ret i32 %r";
    check(body, more, 42);
}

#[test]
fn intrinsics_compute() {
    let more = "declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)\ndeclare i32 @llvm.ctpop.i32(i32)\n\
        declare i32 @llvm.fshl.i32(i32, i32, i32)\ndeclare i8 @llvm.uadd.sat.i8(i8, i8)\ndeclare i32 @llvm.cttz.i32(i32, i1)\n\
        declare i32 @llvm.bswap.i32(i32)\ndeclare i32 @llvm.smax.i32(i32, i32)";
    check(
        "  %p = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 2147483647, i32 1)\n  %o = extractvalue { i32, i1 } %p, 1\n  %r = zext i1 %o to i32\n  ret i32 %r",
        more,
        1,
    );
    check("  %r = call i32 @llvm.ctpop.i32(i32 255)\n  ret i32 %r", more, 8);
    check("  %r = call i32 @llvm.fshl.i32(i32 1, i32 -2147483648, i32 33)\n  ret i32 %r", more, 3);
    check("  %a = call i8 @llvm.uadd.sat.i8(i8 200, i8 100)\n  %r = zext i8 %a to i32\n  ret i32 %r", more, 255);
    check("  %r = call i32 @llvm.cttz.i32(i32 8, i1 true)\n  ret i32 %r", more, 3);
    check("  %r = call i32 @llvm.bswap.i32(i32 1)\n  ret i32 %r", more, 1 << 24);
    check("  %r = call i32 @llvm.smax.i32(i32 -5, i32 3)\n  ret i32 %r", more, 3);
}

#[test]
fn copies_of_known_and_unknown_size() {
    let more = "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\ndeclare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)\n\
        declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n@text = constant [600 x i8] zeroinitializer\n@word = constant [4 x i8] c\"abcd\"";
    let body = "  %x = alloca [600 x i8]\n  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr @text, i64 600, i1 false)\n  \
        call void @llvm.memcpy.p0.p0.i64(ptr align 4 %x, ptr align 4 @word, i64 4, i1 false)\n  %y = getelementptr i8, ptr %x, i64 1\n  \
        call void @llvm.memmove.p0.p0.i64(ptr %y, ptr %x, i64 599, i1 false)\n  %z = getelementptr i8, ptr %x, i64 4\n  %a = load i8, ptr %z\n  \
        %r = zext i8 %a to i32\n  ret i32 %r";
    check(body, more, i32::from(b'd'));
    let body = "  %x = alloca [12 x i8], align 4\n  call void @llvm.memset.p0.i64(ptr align 4 %x, i8 1, i64 10, i1 false)\n  \
        %a = load i32, ptr %x\n  ret i32 %a";
    check(body, more, 0x0101_0101);
}

#[test]
fn switches_selects_and_vectors() {
    let body = "  switch i32 5, label %other [\n    i32 1, label %one\n    i32 5, label %five\n    i32 6, label %five\n  ]\none:\n  ret i32 1\n\
        five:\n  %v = insertelement <2 x i32> <i32 3, i32 4>, i32 7, i32 0\n  %w = add <2 x i32> %v, <i32 1, i32 1>\n  \
        %s = shufflevector <2 x i32> %w, <2 x i32> poison, <2 x i32> <i32 1, i32 0>\n  %a = extractelement <2 x i32> %s, i32 1\n  \
        %b = select i1 true, i32 %a, i32 0\n  ret i32 %b\nother:\n  ret i32 0";
    check(body, "", 8);
}

#[test]
fn undefined_operations_are_noted_and_a_bad_access_is_an_error() {
    let text = "declare void @reach_error()\ndefine i32 @main() {\n  %a = add nuw i8 -1, 1\n  %c = icmp eq i8 %a, 0\n  br i1 %c, label %bad, label %good\n\
        bad:\n  call void @reach_error()\n  unreachable\ngood:\n  ret i32 0\n}\n";
    assert!(matches!(outcome(text), Outcome::Error(_)));
    let text = "define i32 @main() {\n  %x = alloca [2 x i32]\n  %p = getelementptr i32, ptr %x, i64 2\n  store i32 1, ptr %p\n  ret i32 0\n}\n";
    assert!(matches!(outcome(text), Outcome::Error(_)));
}

#[test]
fn constructors_run_before_main() {
    let text = "@x = global i32 0\n@llvm.global_ctors = appending global [1 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 65535, ptr @init, ptr null }]\n\
        declare void @reach_error()\ndefine internal void @init() {\n  store i32 3, ptr @x\n  ret void\n}\ndefine i32 @main() {\n  %a = load i32, ptr @x\n  \
        %c = icmp eq i32 %a, 3\n  br i1 %c, label %good, label %bad\nbad:\n  call void @reach_error()\n  unreachable\ngood:\n  ret i32 0\n}\n";
    assert!(matches!(outcome(text), Outcome::Returned(_)));
}

#[test]
fn an_entry_block_has_the_number_behind_all_parameters() {
    let params = vec!["i32"; 18].join(", ");
    let more =
        format!("define i32 @many({params}) {{\n  br label %next\nnext:\n  %x = phi i32 [ 7, %18 ]\n  ret i32 %x\n}}");
    let body = format!("  %r = call i32 @many({})\n  ret i32 %r", vec!["i32 1"; 18].join(", "));
    check(&body, &more, 7);
}

#[test]
fn a_block_that_only_a_later_one_reaches_is_lowered() {
    let body = "  %n = alloca i32\n  store i32 1, ptr %n\n  br i1 false, label %never, label %test\nnever:\n  br label %back\nback:\n  \
        store i32 7, ptr %n\n  br label %test\ntest:\n  %v = load i32, ptr %n\n  %c = icmp eq i32 %v, 1\n  br i1 %c, label %again, label %done\n\
        again:\n  br label %back\ndone:\n  ret i32 %v";
    check(body, "", 7);
}
