//! Zones: bounds on the differences of a few variables, as matrices that are always closed (Miné 2001).
//!
//! Numbers are the signed or unsigned values of the words, whichever the pack is read as, and never wrap: whoever adds a bound has shown that
//! the operation behind it did not wrap. Index 0 stands for zero.

/// Larger than every difference of two words.
pub const NONE: i128 = i128::MAX / 4;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Zone {
    /// One more than there are variables.
    size: usize,
    /// Row by row: `bound[i * size + j]` is the most that `x_i - x_j` can be.
    bound: Vec<i128>,
}

fn sum(a: i128, b: i128) -> i128 {
    if a >= NONE || b >= NONE { NONE } else { a + b }
}

impl Zone {
    pub fn top(variables: usize) -> Zone {
        let size = variables + 1;
        let bound = (0..size * size).map(|i| if i / size == i % size { 0 } else { NONE }).collect();
        Zone { size, bound }
    }

    pub fn is_top(&self) -> bool {
        self.bound.iter().enumerate().all(|(i, b)| i / self.size == i % self.size || *b >= NONE)
    }

    /// The most that `x_i - x_j` can be; `NONE` and more is no bound.
    pub fn most(&self, i: usize, j: usize) -> i128 {
        self.bound[i * self.size + j]
    }

    pub fn variables(&self) -> usize {
        self.size - 1
    }

    /// Where `x_i - x_j <= c`, closed again; `false` if nowhere.
    #[must_use]
    pub fn assume(&mut self, i: usize, j: usize, c: i128) -> bool {
        if c >= self.most(i, j) {
            return true;
        }
        if sum(self.most(j, i), c) < 0 {
            return false;
        }
        let n = self.size;
        for p in 0..n {
            let to_j = sum(self.most(p, i), c);
            if to_j >= NONE {
                continue;
            }
            for q in 0..n {
                let through = sum(to_j, self.most(j, q));
                if through < self.bound[p * n + q] {
                    self.bound[p * n + q] = through;
                }
            }
        }
        true
    }

    pub fn forget(&mut self, i: usize) {
        for j in (0..self.size).filter(|j| *j != i) {
            self.bound[i * self.size + j] = NONE;
            self.bound[j * self.size + i] = NONE;
        }
    }

    /// `x_i := x_i + d` for some `d` from `low` to `high`.
    pub fn shift(&mut self, i: usize, low: i128, high: i128) {
        for j in (0..self.size).filter(|j| *j != i) {
            self.bound[i * self.size + j] = sum(self.most(i, j), high);
            self.bound[j * self.size + i] = sum(self.most(j, i), -low);
        }
    }

    pub fn join(&self, other: &Zone) -> Zone {
        let bound = self.bound.iter().zip(&other.bound).map(|(a, b)| *a.max(b)).collect();
        Zone { size: self.size, bound }
    }

    /// Bounds that grew go to the next of -1, 0, 1, or away.
    pub fn widen(&self, other: &Zone) -> Zone {
        let next = |b: i128| [-1, 0, 1].into_iter().find(|t| *t >= b).unwrap_or(NONE);
        let wide = |(a, b): (&i128, &i128)| if b <= a { *a } else { next(*b) };
        let mut result = Zone { size: self.size, bound: self.bound.iter().zip(&other.bound).map(wide).collect() };
        result.close();
        result
    }

    pub fn is_within(&self, other: &Zone) -> bool {
        self.bound.iter().zip(&other.bound).all(|(a, b)| a <= b)
    }

    /// Shortest paths between all. There are no negative cycles in an upper bound of what has none.
    fn close(&mut self) {
        let n = self.size;
        for k in 0..n {
            for i in 0..n {
                for j in 0..n {
                    let through = sum(self.most(i, k), self.most(k, j));
                    if through < self.bound[i * n + j] {
                        self.bound[i * n + j] = through;
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_counter_stays_below_its_limit() {
        // 1 is i, 2 is n: i = 0, n >= 0; while (i < n) i++.
        let mut entry = Zone::top(2);
        assert!(entry.assume(1, 0, 0) && entry.assume(0, 1, 0) && entry.assume(0, 2, 0));
        let mut body = entry.clone();
        assert!(body.assume(1, 2, -1));
        body.shift(1, 1, 1);
        let head = entry.widen(&entry.join(&body));
        assert_eq!(head.most(1, 2), 0);
        let mut left = head.clone();
        assert!(left.assume(2, 1, 0));
        assert_eq!((left.most(1, 2), left.most(2, 1)), (0, 0));
        assert!(!left.assume(1, 2, -1));
    }
}
