use memoir_model::{KeyId, SpaceKey, TenantId};

/// For whom a transaction is. The database shows it nothing else, whatever it asks for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Scope<'a> {
    /// One space of a tenant. Every read and write of a space's rows is bound to that space, whoever asks: so is
    /// everything that a key bound to one space can bring about.
    Space(&'a SpaceKey),
    /// All that a tenant has.
    Tenant(&'a TenantId),
    /// Somebody who presents this key and whose tenant is not known yet.
    Key(&'a KeyId),
    /// Background work, which finds where work is due and reads no word.
    Worker,
}

/// Takes [`Scope::settings`]. Like `SET LOCAL`, but with parameters: what it sets ends with the transaction.
pub(crate) const ENTER: &str = "SELECT set_config('role', $1, true), set_config('memoir.tenant', $2, true), \
     set_config('memoir.space', $3, true), set_config('memoir.key', $4, true)";

impl Scope<'_> {
    /// The role, the tenant, the space and the key.
    pub(crate) fn settings(self) -> [String; 4] {
        let none = String::new;
        match self {
            Scope::Space(key) => {
                ["memoir_app".into(), key.tenant.to_string(), key.no.get().to_string(), none()]
            }
            Scope::Tenant(tenant) => ["memoir_app".into(), tenant.to_string(), "any".into(), none()],
            Scope::Key(key) => ["memoir_app".into(), none(), none(), key.to_string()],
            Scope::Worker => ["memoir_worker".into(), none(), none(), none()],
        }
    }
}
