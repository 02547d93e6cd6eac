const patienceMs = 10_000

/** Returns whether the server answers. */
export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })).ok
  } catch {
    return false
  }
}
