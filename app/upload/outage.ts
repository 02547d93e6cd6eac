/** An outage of the server: the failed attempts, and the wait before the next probe. */
export interface UploadOutage {
  readonly tries: number
  readonly waitMs: number
  /** All waits so far (ms), including this one. Time that the computer sleeps does not count. */
  readonly waitedMs: number
  /** A probe was answered, but no upload has succeeded yet. */
  readonly isAnswering: boolean
}

const longestWaitMs = 10_000
const patienceMs = 30 * 60_000

/** Returns the outage after another failed attempt. Waits are 1, 2, 4, 8, then 10 seconds each, or longer if the server requests it. Null after half an hour. */
export function prolonged(outage: UploadOutage | null, retryAfterMs = 0): UploadOutage | null {
  const { tries, waitedMs } = outage ?? { tries: 0, waitedMs: 0 }
  if (waitedMs >= patienceMs) return null
  const waitMs = Math.max(retryAfterMs, Math.min(longestWaitMs, 1000 * 2 ** tries))
  return { tries: tries + 1, waitMs, waitedMs: waitedMs + waitMs, isAnswering: false }
}

/** Returns the outage after an upload was interrupted. Two at the same time are one outage. */
export function afterLoss(outage: UploadOutage | null, retryAfterMs: number): UploadOutage | null {
  if (!outage || outage.isAnswering) return prolonged(outage, retryAfterMs)
  const more = retryAfterMs - outage.waitMs
  return more > 0 ? { ...outage, waitMs: retryAfterMs, waitedMs: outage.waitedMs + more } : outage
}
