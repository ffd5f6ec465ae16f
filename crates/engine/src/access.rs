use memoir_model::{Error, ErrorCode, Result, Role, SpaceId, TenantId};

/// What somebody wants to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Access {
    /// Look at it.
    Read,
    /// Change it.
    Write,
    /// Manage keys, jobs and the log.
    Administer,
}

/// On whose behalf a call is made. Every call of the engine takes one; nothing is read or written without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Caller {
    /// Whose data it may touch.
    pub tenant: TenantId,
    /// What it may do.
    pub role: Role,
    /// The one space it may see, if it is bound to one.
    pub space: Option<SpaceId>,
    /// Who it is, for the audit log: a key's id, `loopback`, `command line`.
    pub actor: String,
}

impl Caller {
    /// Somebody on this machine, who may do everything in this tenant.
    pub fn local(tenant: TenantId, actor: &str) -> Self {
        Caller { tenant, role: Role::Admin, space: None, actor: actor.to_owned() }
    }

    /// Whether it manages other tenants too: an administrator of the default tenant does.
    pub fn is_operator(&self) -> bool {
        self.role == Role::Admin && self.tenant == TenantId::default_tenant()
    }

    /// Fails unless the role allows it.
    pub fn check(&self, access: Access) -> Result<()> {
        let needed = match access {
            Access::Read => Role::Read,
            Access::Write => Role::Write,
            Access::Administer => Role::Admin,
        };
        if self.role >= needed { Ok(()) } else { Err(self.refuse(needed)) }
    }

    /// Fails unless the role allows it in that space. A bound key learns nothing about other spaces, not even
    /// whether they exist.
    pub fn check_space(&self, access: Access, space: &SpaceId) -> Result<()> {
        match &self.space {
            Some(own) if own == space && access == Access::Read => Ok(()),
            Some(_) => Err(Error::new(ErrorCode::Forbidden, "this key reads one space only")),
            None => self.check(access),
        }
    }

    fn refuse(&self, needed: Role) -> Error {
        let message =
            format!("a key of role {} may not do this; {} may", self.role.as_str(), needed.as_str());
        Error::new(ErrorCode::Forbidden, message)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_allow_what_they_say() {
        let caller =
            |role| Caller { tenant: TenantId::default_tenant(), role, space: None, actor: "t".into() };
        assert!(caller(Role::Read).check(Access::Read).is_ok());
        assert!(caller(Role::Read).check(Access::Write).is_err());
        assert!(caller(Role::Write).check(Access::Administer).is_err());
        assert!(caller(Role::Admin).check(Access::Administer).is_ok());
    }

    #[test]
    fn a_bound_key_reads_its_own_space_and_nothing_else() {
        let own: SpaceId = "user:a".parse().unwrap();
        let caller = Caller {
            tenant: TenantId::default_tenant(),
            role: Role::Own,
            space: Some(own.clone()),
            actor: "t".into(),
        };
        assert!(caller.check_space(Access::Read, &own).is_ok());
        assert!(caller.check_space(Access::Write, &own).is_err());
        assert!(caller.check_space(Access::Read, &"user:b".parse().unwrap()).is_err());
        assert!(caller.check(Access::Read).is_err());
    }
}
