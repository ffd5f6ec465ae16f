use std::sync::OnceLock;

/// A set of instructions, the later the faster.
///
/// A level that the machine does not have runs as the best that it has, so that no choice is unsafe.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Level {
    /// What every machine has.
    Scalar,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512 (F, BW, DQ, VL) and VNNI.
    Avx512,
}

static BEST: OnceLock<Level> = OnceLock::new();

impl Level {
    /// All of them.
    pub const ALL: [Level; 3] = [Level::Scalar, Level::Avx2, Level::Avx512];

    /// The best that this machine has, or that [`Level::keep_to`] allows.
    pub fn best() -> Self {
        *BEST.get_or_init(detect)
    }

    /// Uses nothing better than this in the whole process. Returns what is used; once something was calculated that does
    /// not change any more.
    pub fn keep_to(self) -> Self {
        *BEST.get_or_init(|| detect().min(self))
    }

    /// Those that this machine has.
    pub fn available() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|&level| level <= Self::best())
    }

    /// For people.
    pub fn name(self) -> &'static str {
        match self {
            Level::Scalar => "scalar",
            Level::Avx2 => "AVX2",
            Level::Avx512 => "AVX-512 VNNI",
        }
    }

    /// This one, or the best that the machine has if it lacks this one.
    pub fn usable(self) -> Self {
        self.min(Self::best())
    }
}

#[cfg(target_arch = "x86_64")]
fn detect() -> Level {
    let avx2 = is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma");
    let avx512 = is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl")
        && is_x86_feature_detected!("avx512vnni");
    match (avx2, avx512) {
        (true, true) => Level::Avx512,
        (true, false) => Level::Avx2,
        (false, _) => Level::Scalar,
    }
}

#[cfg(not(target_arch = "x86_64"))]
fn detect() -> Level {
    Level::Scalar
}

/// Compiles a body that is generic over [`Lanes`](crate::lanes::Lanes) once for each instruction set and runs the one of
/// the level, or the scalar twin.
macro_rules! dispatch {
    ($level:expr, $body:path, $twin:path, ($($argument:ident: $type:ty),* $(,)?) $(-> $result:ty)?) => {{
        #[cfg(target_arch = "x86_64")]
        {
            #[target_feature(enable = "avx2,fma")]
            fn avx2($($argument: $type),*) $(-> $result)? {
                // SAFETY: this function has the instructions of `Avx2`.
                unsafe { $body(std::marker::PhantomData::<crate::lanes::Avx2>, $($argument),*) }
            }
            #[target_feature(enable = "avx2,fma,avx512f,avx512bw,avx512dq,avx512vl,avx512vnni")]
            fn avx512($($argument: $type),*) $(-> $result)? {
                // SAFETY: this function has the instructions of `Avx512`.
                unsafe { $body(std::marker::PhantomData::<crate::lanes::Avx512>, $($argument),*) }
            }
            match $crate::Level::usable($level) {
                // SAFETY: a usable level is one that the machine was seen to have.
                $crate::Level::Avx512 => unsafe { avx512($($argument),*) },
                // SAFETY: as above.
                $crate::Level::Avx2 => unsafe { avx2($($argument),*) },
                $crate::Level::Scalar => $twin($($argument),*),
            }
        }
        #[cfg(not(target_arch = "x86_64"))]
        {
            let _: $crate::Level = $level;
            $twin($($argument),*)
        }
    }};
}
pub(crate) use dispatch;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_level_that_the_machine_lacks_runs_as_the_best_that_it_has() {
        for level in Level::ALL {
            assert!(level.usable() <= Level::best());
        }
        assert_eq!(Level::available().last(), Some(Level::best()));
        assert_eq!(Level::available().next(), Some(Level::Scalar));
    }
}
