//! SHA-256 [FIPS 180-4], for the hashes of files in witnesses.
//!
//! The constants are the first bits of the fractional parts of square and cube roots of the first primes; they are
//! computed here from that definition instead of being listed.

/// The digest of the bytes.
pub fn digest(bytes: &[u8]) -> [u8; 32] {
    let primes: Vec<u64> = (2u64..).filter(|n| (2..*n).all(|d| !n.is_multiple_of(d))).take(64).collect();
    let rounds: Vec<u32> = primes.iter().map(|&prime| fraction_of_root(prime, 3)).collect();
    let mut state: Vec<u32> = primes.iter().take(8).map(|&prime| fraction_of_root(prime, 2)).collect();
    let mut message = bytes.to_vec();
    message.push(0x80);
    while message.len() % 64 != 56 {
        message.push(0);
    }
    message.extend((bytes.len() as u64 * 8).to_be_bytes());
    for block in message.chunks_exact(64) {
        absorb(&mut state, &rounds, block);
    }
    let mut result = [0; 32];
    for (four, word) in result.chunks_exact_mut(4).zip(state) {
        four.copy_from_slice(&word.to_be_bytes());
    }
    result
}

/// The digest in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The first 32 bits behind the point of the square or cube root: the root of `n · 2^(32·degree)` without its
/// integral part.
fn fraction_of_root(n: u64, degree: u32) -> u32 {
    let scaled = u128::from(n) << (32 * degree);
    let (mut low, mut high) = (0u128, 1u128 << 37);
    while high - low > 1 {
        let middle = (low + high) / 2;
        if middle.pow(degree) <= scaled { low = middle } else { high = middle }
    }
    low as u32
}

fn absorb(state: &mut [u32], rounds: &[u32], block: &[u8]) {
    let mut words: Vec<u32> =
        block.chunks_exact(4).map(|four| u32::from_be_bytes([four[0], four[1], four[2], four[3]])).collect();
    for at in 16..64 {
        let (near, far) = (words[at - 2], words[at - 15]);
        let small = far.rotate_right(7) ^ far.rotate_right(18) ^ (far >> 3);
        let large = near.rotate_right(17) ^ near.rotate_right(19) ^ (near >> 10);
        words.push(words[at - 16].wrapping_add(small).wrapping_add(words[at - 7]).wrapping_add(large));
    }
    let mut v: [u32; 8] = std::array::from_fn(|at| state[at]);
    for (word, round) in words.iter().zip(rounds) {
        let large = v[4].rotate_right(6) ^ v[4].rotate_right(11) ^ v[4].rotate_right(25);
        let choice = (v[4] & v[5]) ^ (!v[4] & v[6]);
        let first = v[7].wrapping_add(large).wrapping_add(choice).wrapping_add(*round).wrapping_add(*word);
        let small = v[0].rotate_right(2) ^ v[0].rotate_right(13) ^ v[0].rotate_right(22);
        let majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        v = [
            first.wrapping_add(small.wrapping_add(majority)),
            v[0],
            v[1],
            v[2],
            v[3].wrapping_add(first),
            v[4],
            v[5],
            v[6],
        ];
    }
    for (word, new) in state.iter_mut().zip(v) {
        *word = word.wrapping_add(new);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_s_examples_have_their_digests() {
        assert_eq!(hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(hex(b"abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
        let two_blocks = "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(hex(two_blocks.as_bytes()), "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    }
}
