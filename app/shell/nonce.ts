/** Returns the nonce of a Content-Security-Policy; undefined if it has none. */
export function readNonce(policy: string | null): string | undefined {
  return policy?.match(/'nonce-([A-Za-z0-9+/_=-]+)'/)?.[1]
}
