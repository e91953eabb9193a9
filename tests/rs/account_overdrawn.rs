// verdict: unsafe
// error: attempt to subtract with overflow
// An account allows ten more than it has.
use uforia::any;

struct Account {
    balance: u32,
}
impl Account {
    fn withdraw(&mut self, x: u32) -> Result<(), ()> {
        if x > self.balance + 10 {
            return Err(());
        }
        self.balance -= x;
        Ok(())
    }
}

fn main() {
    let mut a = Account { balance: 100 };
    for _ in 0..3 {
        let _ = a.withdraw(any());
    }
    assert!(a.balance <= 100);
}
