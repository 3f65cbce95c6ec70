//! Verifies signatures of tokens with ring: RS256, ES256, `EdDSA` with Ed25519, and HS256. Does not
//! sign.

use jsonwebtoken::{
    Algorithm, DecodingKey, DecodingKeyKind,
    crypto::{CryptoProvider, JwtSigner, JwtVerifier, KeyUtils},
    errors::{ErrorKind, Result},
    signature::{Error, Verifier},
};
use ring::{
    hmac,
    signature::{
        ECDSA_P256_SHA256_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents,
        UnparsedPublicKey, VerificationAlgorithm,
    },
};

static RING: CryptoProvider = CryptoProvider {
    signer_factory: |_, _| -> Result<Box<dyn JwtSigner>> {
        Err(ErrorKind::UnsupportedAlgorithm.into())
    },
    verifier_factory: |algorithm, key| -> Result<Box<dyn JwtVerifier>> {
        if key.family() != algorithm.family() {
            return Err(ErrorKind::InvalidKeyFormat.into());
        }
        let (algorithm, key) = (*algorithm, key.clone());
        Ok(Box::new(RingVerifier { algorithm, key }))
    },
    key_utils: KeyUtils::new_unimplemented(),
};

/// Installs ring as the provider of `jsonwebtoken`; idempotent.
pub(super) fn install() {
    // An error means that the same provider is installed already.
    let _ = RING.install_default();
}

struct RingVerifier {
    algorithm: Algorithm,
    key: DecodingKey,
}

impl Verifier<Vec<u8>> for RingVerifier {
    fn verify(&self, text: &[u8], signature: &Vec<u8>) -> std::result::Result<(), Error> {
        let verify_with = |algorithm: &'static dyn VerificationAlgorithm, point: &[u8]| {
            UnparsedPublicKey::new(algorithm, point).verify(text, signature)
        };
        let verified = match (self.algorithm, self.key.kind()) {
            (Algorithm::HS256, DecodingKeyKind::SecretOrDer(secret)) => {
                hmac::verify(&hmac::Key::new(hmac::HMAC_SHA256, secret), text, signature)
            }
            (Algorithm::ES256, DecodingKeyKind::SecretOrDer(point)) => {
                verify_with(&ECDSA_P256_SHA256_FIXED, point)
            }
            (Algorithm::EdDSA, DecodingKeyKind::SecretOrDer(point)) => verify_with(&ED25519, point),
            (Algorithm::RS256, DecodingKeyKind::SecretOrDer(der)) => {
                verify_with(&RSA_PKCS1_2048_8192_SHA256, der)
            }
            (Algorithm::RS256, DecodingKeyKind::RsaModulusExponent { n, e }) => {
                let key = RsaPublicKeyComponents { n, e };
                key.verify(&RSA_PKCS1_2048_8192_SHA256, text, signature)
            }
            _ => Err(ring::error::Unspecified),
        };
        verified.map_err(|_| Error::new())
    }
}

impl JwtVerifier for RingVerifier {
    fn algorithm(&self) -> Algorithm {
        self.algorithm
    }
}
