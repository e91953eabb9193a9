; Swapping two words by exclusive or, without a third: is there a pair for which it fails?
(set-logic QF_BV)
(declare-const x (_ BitVec 32))
(declare-const y (_ BitVec 32))
(define-fun a () (_ BitVec 32) (bvxor x y))
(define-fun b () (_ BitVec 32) (bvxor a y))
(define-fun c () (_ BitVec 32) (bvxor a b))
(assert (not (and (= b x) (= c y))))
(check-sat)
