/// Which reading comes first where words could mean a past or a coming time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Prefer {
    /// The past one: a memory looks back.
    #[default]
    Past,
    /// The coming one.
    Future,
}

/// Where "from the 3rd to the 5th" ends. Times on the clock always end where they are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ends {
    /// With the last day, as people mean it.
    #[default]
    Through,
    /// Where the last day begins, as some programs write it.
    Before,
}

/// How to read what words leave open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Convention {
    /// Past or coming.
    pub prefer: Prefer,
    /// With or without the last day.
    pub ends: Ends,
}

impl From<Prefer> for Convention {
    fn from(prefer: Prefer) -> Self {
        Convention { prefer, ends: Ends::default() }
    }
}
