import type { RefusedCall } from '#app/limits/refusal.ts'
import { refusalOfHeaders } from '#app/limits/refusal-of-headers.ts'

/** Why an image did not load: the limit that refused it, an unavailable server, or null for anything else. */
type Cause = RefusedCall | 'unavailable' | null

let latest: { at: number; answer: Promise<Cause> } | null = null

/** Finds out why an image did not load. Images that fail within a second share one request. */
export function probePicture(url: string, now = Date.now()): Promise<Cause> {
  if (latest && now - latest.at < 1000) return latest.answer
  latest = { at: now, answer: probe(url) }
  return latest.answer
}

async function probe(url: string): Promise<Cause> {
  const answer = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  // A proxy answers while the server is down.
  if (!answer || answer.status === 502 || answer.status === 504) return 'unavailable'
  return answer.status === 429 ? refusalOfHeaders(answer.headers) : null
}
