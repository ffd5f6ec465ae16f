use rustls::{ClientConfig, RootCertStore};
use std::sync::{Arc, LazyLock};

/// The certificates that this machine trusts, read once.
static ROOTS: LazyLock<Arc<RootCertStore>> = LazyLock::new(|| {
    let mut roots = RootCertStore::empty();
    roots.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
    Arc::new(roots)
});

/// TLS with the certificates that this machine trusts.
pub(crate) fn config() -> ClientConfig {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    #[expect(clippy::expect_used, reason = "ring speaks TLS 1.2 and 1.3")]
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the default versions of TLS")
        .with_root_certificates(ROOTS.clone())
        .with_no_client_auth();
    config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
    config
}
