import type { Refusal } from '#app/limits/refusal.ts'
import { refusalOfHeaders } from '#app/limits/refusal-of-headers.ts'

let latest: { at: number; answer: Promise<Refusal | null> } | null = null

/** Why a picture did not load: the limit that refused it, or null for anything else. Many that fail within a second ask once. */
export function probePicture(url: string, now = Date.now()): Promise<Refusal | null> {
  if (latest && now - latest.at < 1000) return latest.answer
  latest = { at: now, answer: ask(url) }
  return latest.answer
}

async function ask(url: string): Promise<Refusal | null> {
  const answer = await fetch(url, { method: 'HEAD', cache: 'no-store' }).catch(() => null)
  return answer?.status === 429 ? refusalOfHeaders(answer.headers) : null
}
