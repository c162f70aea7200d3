//! Whole numbers from 0 on of any size; a set of small numbers is one, too, with a bit for each.

use crate::json::{Json, Read};

/// The decimal digits that a number in a certificate may have.
const DIGITS: usize = 723;

/// From the lowest 32 bits on, the last of them not 0.
#[derive(Clone, Debug, Default, Eq, Hash, Ord, PartialEq, PartialOrd)]
pub struct Whole(Vec<u32>);

impl Read for Whole {
    fn read(json: &Json) -> Option<Whole> {
        let Json::Word(digits) = json else { return None };
        let plain = digits == "0" || !digits.starts_with('0') && digits.bytes().all(|b| b.is_ascii_digit());
        let add = |n: Whole, digit: u8| Whole::moved(u64::from(digit - b'0'), 0).plus(&n, &Whole::moved(10, 0));
        (plain && digits.len() <= DIGITS).then(|| digits.bytes().fold(Whole::default(), add))
    }
}

impl Whole {
    /// The bits of a number, each moved up by so many places.
    pub fn moved(bits: u64, up: usize) -> Whole {
        let shifted = u128::from(bits) << (up % 32);
        let parts = (0..4).map(|i| (shifted >> (32 * i)) as u32);
        Whole(std::iter::repeat_n(0, up / 32).chain(parts).collect()).trimmed()
    }

    fn trimmed(mut self) -> Whole {
        self.0.truncate(self.0.iter().rposition(|part| *part != 0).map_or(0, |last| last + 1));
        self
    }

    /// How many parts it has; what a product costs is the product of these.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    fn part(&self, i: usize) -> u32 {
        self.0.get(i).copied().unwrap_or(0)
    }

    /// The sum of this number and a product.
    pub fn plus(&self, a: &Whole, b: &Whole) -> Whole {
        let mut parts = self.0.clone();
        parts.resize(self.len().max(a.len() + b.len()) + 1, 0);
        for (i, a) in a.0.iter().enumerate() {
            let mut carry = 0;
            for (j, part) in parts[i..].iter_mut().enumerate() {
                carry += u64::from(*part) + u64::from(*a) * u64::from(b.part(j));
                *part = carry as u32;
                carry >>= 32;
            }
        }
        Whole(parts).trimmed()
    }

    pub fn times(&self, other: &Whole) -> Whole {
        Whole::default().plus(self, other)
    }

    pub fn with(&self, other: &Whole) -> Whole {
        Whole((0..self.len().max(other.len())).map(|i| self.part(i) | other.part(i)).collect())
    }

    /// Whether all bits of another number are set here.
    pub fn contains(&self, other: &Whole) -> bool {
        other.0.iter().enumerate().all(|(i, part)| part & !self.part(i) == 0)
    }

    /// So many bits, at most 32, from a place on.
    pub fn bits(&self, from: usize, count: usize) -> u64 {
        let both = u64::from(self.part(from / 32)) | u64::from(self.part(from / 32 + 1)) << 32;
        both >> (from % 32) & ((1 << count) - 1)
    }
}
