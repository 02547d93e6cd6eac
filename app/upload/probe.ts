const patienceMs = 10_000

/** Whether the server answers at all: asked before a file is sent into the void again. */
export async function isReachable(): Promise<boolean> {
  try {
    return (await fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(patienceMs) })).ok
  } catch {
    return false
  }
}
