import type { Refusal } from '#app/limits/refusal.ts'
import { refusalOfHeaders } from '#app/limits/refusal-of-headers.ts'

/** Why a picture did not load: the limit that refused it, a server that does not answer, or null for anything else. */
type Cause = Refusal | 'away' | null

let latest: { at: number; answer: Promise<Cause> } | null = null

/** Many pictures that fail within a second ask once. */
export function probePicture(url: string, now = Date.now()): Promise<Cause> {
  if (latest && now - latest.at < 1000) return latest.answer
  latest = { at: now, answer: ask(url) }
  return latest.answer
}

async function ask(url: string): Promise<Cause> {
  const answer = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  // A proxy answers for a server that is away.
  if (!answer || answer.status === 502 || answer.status === 504) return 'away'
  return answer.status === 429 ? refusalOfHeaders(answer.headers) : null
}
