use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jiff::Timestamp;
use memoir_model::{
    ApiKey, AuditAction, AuditEntry, Error, ErrorCode, GeneratedId, Job, JobState, KeyId, Result, Role,
    SpaceId, Tenant, TenantId,
};
use memoir_store::{Commit, JobChange, JobQuery, Row, Stats, WriteSet};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use subtle::ConstantTimeEq;

use crate::access::{Access, Caller};
use crate::engine::Engine;

/// A key to be made.
#[derive(Debug, Clone)]
pub struct NewKey {
    /// For which tenant; only an operator may name another than its own.
    pub tenant: Option<TenantId>,
    /// What it may do.
    pub role: Role,
    /// The one space that a key of role `self` reads.
    pub space: Option<SpaceId>,
    /// What people call it.
    pub label: String,
}

/// A key that was just made. The token is shown once and never again.
#[derive(Debug, Clone)]
pub struct IssuedKey {
    /// The key.
    pub key: ApiKey,
    /// What the product sends as `Authorization: Bearer …`.
    pub token: String,
}

/// How long a key that was looked up is believed. A key revoked elsewhere works at most this much longer.
const BELIEVED_FOR: jiff::SignedDuration = jiff::SignedDuration::from_secs(5);
/// How many keys are remembered.
const MOST_KEYS: usize = 4_096;

/// Keys that were looked up a moment ago, by the hash of their secret.
#[derive(Default)]
pub(crate) struct KeyCache {
    keys: Mutex<HashMap<[u8; 32], (ApiKey, Timestamp)>>,
}

impl KeyCache {
    fn get(&self, hash: &[u8; 32], now: Timestamp) -> Option<ApiKey> {
        let keys = self.keys.lock();
        let (key, at) = keys.get(hash)?;
        (at.duration_until(now).abs() <= BELIEVED_FOR).then(|| key.clone())
    }

    fn put(&self, hash: [u8; 32], key: ApiKey, now: Timestamp) {
        let mut keys = self.keys.lock();
        if keys.len() >= MOST_KEYS {
            keys.clear();
        }
        keys.insert(hash, (key, now));
    }
}

impl Engine {
    /// Who sends this token. The answer to a wrong one is the same whatever is wrong with it.
    pub async fn authenticate(&self, token: &str) -> Result<Caller> {
        let wrong = || Error::new(ErrorCode::Unauthenticated, "the key is not valid");
        let (id, secret) = split_token(token).ok_or_else(wrong)?;
        let hash: [u8; 32] = Sha256::digest(secret.as_bytes()).into();
        let now = self.now();
        let key = match self.inner.keys.get(&hash, now) {
            Some(key) => key,
            None => {
                let key = self.inner.store.key(&id).await?.ok_or_else(wrong)?;
                if key.secret_sha256.ct_eq(&hash).unwrap_u8() == 1 {
                    self.inner.keys.put(hash, key.clone(), now);
                }
                key
            }
        };
        let genuine = key.id == id && bool::from(key.secret_sha256.ct_eq(&hash));
        if !genuine || key.revoked_at.is_some() {
            return Err(wrong());
        }
        Ok(Caller { tenant: key.tenant, role: key.role, space: key.space, actor: key.id.to_string() })
    }

    /// Makes a key.
    pub async fn create_key(&self, caller: &Caller, new: NewKey) -> Result<IssuedKey> {
        let tenant = self.administered(caller, new.tenant.as_ref())?;
        ApiKey::check_binding(new.role, new.space.as_ref())?;
        if new.label.len() > 200 {
            return Err(Error::invalid("label", "must be at most 200 bytes"));
        }
        let id = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 9]>()).replace(['-', '_'], "0");
        let secret = URL_SAFE_NO_PAD.encode(rand::random::<[u8; 32]>());
        let token = format!("mk_{id}_{secret}");
        let key = ApiKey {
            id: KeyId::new(id)?,
            tenant: tenant.clone(),
            role: new.role,
            space: new.space,
            label: new.label,
            secret_sha256: Sha256::digest(secret.as_bytes()).into(),
            created_at: self.now(),
            revoked_at: None,
        };
        let mut rows = vec![Row::Key(Box::new(key.clone()))];
        if !self.inner.store.tenants().await?.iter().any(|known| known.id == tenant) {
            if tenant != TenantId::default_tenant() {
                return Err(Error::not_found("tenant", tenant));
            }
            rows.push(Row::Tenant(Tenant {
                id: tenant.clone(),
                label: String::new(),
                created_at: self.now(),
            }));
        }
        rows.push(self.audit_in(&tenant, caller, AuditAction::KeyCreated, key.id.to_string()));
        self.commit_for(tenant, rows).await?;
        Ok(IssuedKey { key, token })
    }

    /// The keys of a tenant; never their secrets.
    pub async fn keys(&self, caller: &Caller, tenant: Option<&TenantId>) -> Result<Vec<ApiKey>> {
        let tenant = self.administered(caller, tenant)?;
        self.inner.store.keys(&tenant).await
    }

    /// Revokes a key. It works no more from the next request on.
    pub async fn revoke_key(&self, caller: &Caller, id: &KeyId) -> Result<ApiKey> {
        caller.check(Access::Administer)?;
        let key = self.inner.store.key(id).await?;
        let mut key = key
            .filter(|key| key.tenant == caller.tenant || caller.is_operator())
            .ok_or_else(|| Error::not_found("key", id))?;
        if key.revoked_at.is_none() {
            key.revoked_at = Some(self.now());
            let audit = self.audit_in(&key.tenant, caller, AuditAction::KeyRevoked, id.to_string());
            self.commit_for(key.tenant.clone(), vec![Row::Key(Box::new(key.clone())), audit]).await?;
            self.inner.keys.keys.lock().clear();
        }
        Ok(key)
    }

    /// All tenants for an operator, its own for anybody else.
    pub async fn tenants(&self, caller: &Caller) -> Result<Vec<Tenant>> {
        caller.check(Access::Administer)?;
        let mut tenants = self.inner.store.tenants().await?;
        tenants.retain(|tenant| caller.is_operator() || tenant.id == caller.tenant);
        Ok(tenants)
    }

    /// Creates a tenant or changes its label. Only an operator may.
    pub async fn put_tenant(&self, caller: &Caller, id: TenantId, label: String) -> Result<Tenant> {
        if !caller.is_operator() {
            let message = "only an admin key of the tenant default manages tenants";
            return Err(Error::new(ErrorCode::Forbidden, message));
        }
        if label.len() > 200 {
            return Err(Error::invalid("label", "must be at most 200 bytes"));
        }
        let known = self.inner.store.tenants().await?.into_iter().find(|tenant| tenant.id == id);
        let created_at = known.map_or_else(|| self.now(), |tenant| tenant.created_at);
        let tenant = Tenant { id: id.clone(), label, created_at };
        let audit = self.audit_in(&id, caller, AuditAction::TenantCreated, id.to_string());
        self.commit_for(id, vec![Row::Tenant(tenant.clone()), audit]).await?;
        Ok(tenant)
    }

    /// The audit log of the caller's tenant, the newest first.
    pub async fn audit_log(
        &self,
        caller: &Caller,
        below: Option<GeneratedId>,
        limit: usize,
    ) -> Result<Vec<AuditEntry>> {
        caller.check(Access::Administer)?;
        self.inner.store.audit(&caller.tenant, below, limit).await
    }

    /// How much the caller's tenant has.
    pub async fn stats(&self, caller: &Caller) -> Result<Stats> {
        caller.check(Access::Read)?;
        self.inner.store.stats(&caller.tenant).await
    }

    /// Jobs of the caller's tenant.
    pub async fn jobs(
        &self,
        caller: &Caller,
        space: Option<&SpaceId>,
        state: Option<JobState>,
        after: Option<GeneratedId>,
        limit: usize,
    ) -> Result<Vec<Job>> {
        caller.check(Access::Administer)?;
        let space = match space {
            Some(id) => Some(self.open_space(caller, Access::Read, id).await?.no),
            None => None,
        };
        self.inner.store.jobs(&caller.tenant, &JobQuery { space, state, after, limit }).await
    }

    /// One job of the caller's tenant.
    pub async fn job(&self, caller: &Caller, id: GeneratedId) -> Result<Job> {
        caller.check(Access::Administer)?;
        self.inner.store.job(&caller.tenant, id).await?.ok_or_else(|| Error::not_found("job", id))
    }

    /// Gives a dead job another chance.
    pub async fn retry_job(&self, caller: &Caller, id: GeneratedId) -> Result<Job> {
        let job = self.job(caller, id).await?;
        let key = memoir_model::SpaceKey { tenant: caller.tenant.clone(), no: job.space };
        let audit = self.inner.audit(caller, AuditAction::JobRetried, None, Some(id.to_string()));
        let run_at = self.now();
        let jobs = vec![JobChange::Revive { job: id, run_at }];
        let writes = WriteSet { rows: vec![audit], jobs, ..WriteSet::default() };
        self.inner.store.commit(Commit::to_space(key, writes)).await?;
        self.inner.bell.ring();
        // Not read again: a worker may have done it by now.
        Ok(Job { state: JobState::Waiting, attempts: 0, run_at, ..job })
    }

    /// The tenant that the caller may administer, if it may.
    fn administered(&self, caller: &Caller, tenant: Option<&TenantId>) -> Result<TenantId> {
        caller.check(Access::Administer)?;
        match tenant {
            Some(tenant) if *tenant != caller.tenant && !caller.is_operator() => {
                Err(Error::new(ErrorCode::Forbidden, "this key administers its own tenant only"))
            }
            Some(tenant) => Ok(tenant.clone()),
            None => Ok(caller.tenant.clone()),
        }
    }

    /// A line of the log of the tenant whose affair it is; an operator acts in the affairs of others.
    fn audit_in(&self, tenant: &TenantId, caller: &Caller, action: AuditAction, target: String) -> Row {
        let there = Caller { tenant: tenant.clone(), ..caller.clone() };
        self.inner.audit(&there, action, None, Some(target))
    }

    async fn commit_for(&self, tenant: TenantId, rows: Vec<Row>) -> Result<()> {
        let writes = WriteSet { rows, ..WriteSet::default() };
        self.inner.store.commit(Commit::to_tenant(tenant, writes)).await.map(drop)
    }
}

fn split_token(token: &str) -> Option<(KeyId, &str)> {
    let (id, secret) = token.strip_prefix("mk_")?.split_once('_')?;
    Some((KeyId::new(id).ok()?, secret))
}
