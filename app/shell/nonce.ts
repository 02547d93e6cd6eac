/** The nonce of a Content-Security-Policy, or undefined when it has none. */
export function nonceOf(policy: string | null): string | undefined {
  return policy?.match(/'nonce-([A-Za-z0-9+/_=-]+)'/)?.[1]
}
