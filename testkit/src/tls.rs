/// Chooses the cryptography of HTTP clients that a test makes for itself. Those of the product bring their own.
pub(crate) fn choose() {
    // It was chosen before by another test of the same process.
    let _ = rustls::crypto::ring::default_provider().install_default();
}
