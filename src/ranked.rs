//! Sorts by an integer key, with the same machine code for all types.
//!
//! The sort of the standard library is compiled again for every type, which adds about seven kilobytes each time. The
//! query sorts only short lists, so this module sorts pairs of key and index, and then reorders the elements.

/// The elements in ascending order of their keys. The sort is stable.
pub(crate) fn ranked<T>(elements: Vec<T>, key: impl Fn(&T) -> i64) -> Vec<T> {
    let mut order: Vec<(i64, usize)> = elements.iter().map(key).zip(0..).collect();
    order.sort_unstable();
    let mut elements: Vec<Option<T>> = elements.into_iter().map(Some).collect();
    order.into_iter().filter_map(|(_, index)| elements[index].take()).collect()
}

/// A sort key for doubles: it has the order of `f64::total_cmp`.
pub(crate) fn order_of(value: f64) -> i64 {
    let bits = value.to_bits() as i64;
    bits ^ (((bits >> 63) as u64) >> 1) as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_sorted_and_the_sort_is_stable() {
        let words = vec!["ccc", "a", "bb", "b", "aaa", ""];
        assert_eq!(ranked(words, |word| -(word.len() as i64)), ["ccc", "aaa", "bb", "a", "b", ""]);
    }

    #[test]
    fn keys_of_doubles_have_the_order_of_the_doubles() {
        let sorted = [f64::NEG_INFINITY, -1e300, -1.5, -0.0, 0.0, 5e-324, 1.0, 1.0 + f64::EPSILON, f64::INFINITY];
        assert!(sorted.map(order_of).is_sorted_by(|one, next| one < next));
    }
}
