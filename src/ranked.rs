//! Sorting by a number, with one piece of code for all types.
//!
//! The sort of the standard library is compiled anew for every type, which takes some seven kilobytes each time. What
//! the query sorts is short, so it sorts numbers and places instead, and then moves what they stand for.

/// The elements with the lowest number first; equal ones stay in their order.
pub(crate) fn ranked<T>(elements: Vec<T>, number: impl Fn(&T) -> i64) -> Vec<T> {
    let mut order: Vec<(i64, usize)> = elements.iter().map(number).zip(0..).collect();
    order.sort_unstable();
    let mut elements: Vec<Option<T>> = elements.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, place)| elements[place].take()).collect()
}

/// A number that orders doubles as they are ordered themselves.
pub(crate) fn order_of(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_sorted_and_equal_ones_keep_their_order() {
        let words = vec!["ccc", "a", "bb", "b", "aaa", ""];
        assert_eq!(ranked(words, |word| -(word.len() as i64)), ["ccc", "aaa", "bb", "a", "b", ""]);
    }

    #[test]
    fn doubles_are_ordered_as_they_are() {
        let sorted = [f64::NEG_INFINITY, -1e300, -1.5, -0.0, 0.0, 5e-324, 1.0, 1.0 + f64::EPSILON, f64::INFINITY];
        assert!(sorted.map(order_of).is_sorted_by(|one, next| one < next));
    }
}
