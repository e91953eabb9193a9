; A module of our own with a bit of everything.
target datalayout = "e-p:64:64-i64:64"
%pair = type { i8, i32 }
@table = constant [2 x %pair] [%pair { i8 1, i32 7 }, %pair { i8 2, i32 9 }], align 4
@f = global ptr @twice
declare void @reach_error() #0
declare i32 @__VERIFIER_nondet_int()
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal i32 @twice(i32 noundef %x) {
  %y = shl nsw i32 %x, 1
  ret i32 %y
}
define i32 @main() #1 !dbg !4 {
entry:
  %slot = alloca i32, align 4
  %copy = alloca [2 x %pair], align 4
  store i32 5, ptr %slot, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %copy, ptr align 4 @table, i64 16, i1 false)
  br label %loop, !dbg !5
loop:                                             ; preds = %loop, %entry
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %in = call i32 @__VERIFIER_nondet_int()
  %sum = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %in, i32 %i)
  %over = extractvalue { i32, i1 } %sum, 1
  br i1 %over, label %bad, label %latch
latch:
  %p = getelementptr inbounds [2 x %pair], ptr %copy, i64 0, i64 1, i32 1
  %v = load i32, ptr %p, align 4
  %fn = load ptr, ptr @f
  %w = call i32 %fn(i32 %v)
  %next = add nsw i32 %i, 1
  switch i32 %w, label %done [
    i32 18, label %loop
    i32 3, label %bad
  ]
bad:
  call void @reach_error()
  unreachable
done:
  %last = load i32, ptr %slot
  %sel = select i1 true, i32 %last, i32 0
  ret i32 %sel
}
attributes #0 = { noreturn "a"="b" }
attributes #1 = { nounwind }
!llvm.dbg.cu = !{!0}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, producer: "ours", isOptimized: false)
!1 = !DIFile(filename: "sample.c", directory: "")
!4 = distinct !DISubprogram(name: "main", scope: !1, file: !1, line: 3, unit: !0)
!5 = !DILocation(line: 4, column: 3, scope: !4)
