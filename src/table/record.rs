//! The records that a table can hold.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The type of a table's records, as the header names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Bytes of one record.
    pub const fn size(self) -> usize {
        match self {
            RecordType::U8 => 1,
            RecordType::U16 => 2,
            RecordType::U32 => 4,
            RecordType::F64 => 8,
        }
    }

    /// Does a task with records of this type: the one place where a type in a header becomes one of the program.
    pub fn dispatch<T: RecordTask>(self, task: T) -> T::Output {
        match self {
            RecordType::U8 => task.run::<u8>(),
            RecordType::U16 => task.run::<u16>(),
            RecordType::U32 => task.run::<u32>(),
            RecordType::F64 => task.run::<f64>(),
        }
    }

    /// Whether neighbouring records are likely to share their high bytes only.
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

/// Something to do with records whose type only a [`Spec`](super::Spec) or a header knows.
pub trait RecordTask {
    /// What comes of it.
    type Output;

    /// Does it with records of type `R`.
    fn run<R: Record>(self) -> Self::Output;
}

mod sealed {
    pub trait Sealed {}
}

/// A value of fixed size that a table can hold.
pub trait Record: sealed::Sealed + Copy + Send + Sync + 'static {
    /// How the header names this type.
    const TYPE: RecordType;

    /// Appends the value's little-endian bytes.
    fn put(self, bytes: &mut Vec<u8>);

    /// Reads the value from exactly its little-endian bytes.
    fn take(bytes: &[u8]) -> Self;

    /// The value as a float, which holds every record exactly.
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
