/** Returns the library of WebAuthn, loaded when a passkey is first used: it brings parsers of certificates, which most sites never need. */
export const webauthn = () => import('@simplewebauthn/server')

/** Returns its parsers. */
export const webauthnHelpers = () => import('@simplewebauthn/server/helpers')
