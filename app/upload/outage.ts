/** The server does not answer: how often that was noticed, and the wait before it is asked again. */
export interface UploadOutage {
  readonly tries: number
  readonly waitMs: number
  /** All waits so far (ms), this one too. Time asleep does not count: a laptop that wakes up has not given up. */
  readonly waitedMs: number
  /** It answers a probe again; no upload has come through yet. */
  readonly isAnswering: boolean
}

const longestWaitMs = 10_000
const patienceMs = 30 * 60_000

/** The wait after one more try in vain: 1, 2, 4, 8, then 10 seconds each, or longer where the server asks for it. Null when it has lasted for half an hour. */
export function prolonged(outage: UploadOutage | null, retryAfterMs = 0): UploadOutage | null {
  const { tries, waitedMs } = outage ?? { tries: 0, waitedMs: 0 }
  if (waitedMs >= patienceMs) return null
  const waitMs = Math.max(retryAfterMs, Math.min(longestWaitMs, 1000 * 2 ** tries))
  return { tries: tries + 1, waitMs, waitedMs: waitedMs + waitMs, isAnswering: false }
}

/** The outage after an upload was lost. Two lost in the same moment are one outage. */
export function afterLoss(outage: UploadOutage | null, retryAfterMs: number): UploadOutage | null {
  if (!outage || outage.isAnswering) return prolonged(outage, retryAfterMs)
  const more = retryAfterMs - outage.waitMs
  return more > 0 ? { ...outage, waitMs: retryAfterMs, waitedMs: outage.waitedMs + more } : outage
}
