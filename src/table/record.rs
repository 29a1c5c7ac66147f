//! The types of records in a table.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The type of a table's records, as stored in the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum RecordType {
    /// One unsigned byte.
    U8,
    /// An unsigned integer of two bytes.
    U16,
    /// An unsigned integer of four bytes.
    U32,
    /// A double-precision float, bit for bit.
    F64,
}

impl RecordType {
    /// The size of one record, in bytes.
    pub const fn size(self) -> usize {
        match self {
            RecordType::U8 => 1,
            RecordType::U16 => 2,
            RecordType::U32 => 4,
            RecordType::F64 => 8,
        }
    }

    /// Runs a task with the Rust type of these records.
    pub fn dispatch<T: RecordTask>(self, task: T) -> T::Output {
        match self {
            RecordType::U8 => task.run::<u8>(),
            RecordType::U16 => task.run::<u16>(),
            RecordType::U32 => task.run::<u32>(),
            RecordType::F64 => task.run::<f64>(),
        }
    }

    /// Whether the records are floats, whose neighbours often have equal high bytes.
    pub(super) const fn is_float(self) -> bool {
        matches!(self, RecordType::F64)
    }
}

impl fmt::Display for RecordType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecordType::U8 => "u8",
            RecordType::U16 => "u16",
            RecordType::U32 => "u32",
            RecordType::F64 => "f64",
        })
    }
}

/// Generic code for records whose type is known only at run time, from a [`Spec`](super::Spec) or a header.
pub trait RecordTask {
    /// The result.
    type Output;

    /// Runs with records of type `R`.
    fn run<R: Record>(self) -> Self::Output;
}

mod sealed {
    #[expect(unnameable_types, reason = "other crates cannot implement what they cannot name")]
    pub trait Sealed {}
}

/// A value of fixed size that can be stored in a table.
pub trait Record: sealed::Sealed + Copy + Send + Sync + 'static {
    /// The name of this type in the header.
    const TYPE: RecordType;

    /// Appends the value's little-endian bytes.
    fn put(self, bytes: &mut Vec<u8>);

    /// Reads the value from its little-endian bytes. The length must be exact.
    fn take(bytes: &[u8]) -> Self;

    /// The value as a double. The conversion is exact.
    fn to_f64(self) -> f64;
}

macro_rules! record {
    ($type:ty, $name:ident) => {
        impl sealed::Sealed for $type {}

        impl Record for $type {
            const TYPE: RecordType = RecordType::$name;

            fn put(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn take(bytes: &[u8]) -> Self {
                let mut array = [0; size_of::<$type>()];
                array.copy_from_slice(bytes);
                <$type>::from_le_bytes(array)
            }

            fn to_f64(self) -> f64 {
                self.into()
            }
        }
    };
}

record!(u8, U8);
record!(u16, U16);
record!(u32, U32);
record!(f64, F64);
