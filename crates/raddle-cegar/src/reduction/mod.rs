//! What need not be explored: interleavings (`por`, thesis 2, chapter 3) and statements (`coi`, thesis 2, chapter 4).

pub mod coi;
pub mod por;
