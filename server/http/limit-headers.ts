import type { ServerResponse } from 'node:http'
import type { Decision } from '#server/limits/decision.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'

/**
 * Returns the headers that show the decisions about an answer: RateLimit and, in `Sluice-Degraded`, the policies
 * without enough permits, because of which it is less than requested. No cache may store such an answer: set
 * `Cache-Control: no-store` on it.
 */
export function limitHeaders(decisions: readonly Decision[]): Record<string, string> {
  const degraded = degradedPolicies(decisions)
  return {
    ...rateLimitHeaders(decisions),
    ...(degraded.length > 0 && { 'Sluice-Degraded': degraded.join(', ') }),
  }
}

/**
 * Shows the decisions about an answer, whatever it will be. Only for answers that no public cache keeps: their limits are
 * those of the client that asked.
 */
export function showLimits(res: ServerResponse, decisions: readonly Decision[]): void {
  if (res.headersSent) return
  for (const [name, value] of Object.entries(limitHeaders(decisions))) res.setHeader(name, value)
}

/**
 * The same for a page, in lists alone, once its head is written: what the page itself was charged, such as a sign-in, comes
 * first, and Next keeps a header that is there already in place of its own.
 */
export function showPageLimits(res: ServerResponse, decisions: readonly Decision[]): void {
  const { RateLimit, 'RateLimit-Policy': policies } = rateLimitHeaders(decisions)
  const { writeHead } = res
  let isShown = false
  const show = (...all: unknown[]): unknown => {
    if (!isShown) {
      addItems(res, 'RateLimit', RateLimit)
      addItems(res, 'RateLimit-Policy', policies)
    }
    isShown = true
    return Reflect.apply(writeHead, res, all)
  }
  Reflect.set(res, 'writeHead', show)
}

function addItems(res: ServerResponse, name: string, items: string | undefined): void {
  const own = res.getHeader(name)
  if (items !== undefined) res.setHeader(name, own === undefined ? items : `${own}, ${items}`)
}

/** Returns the policies without enough permits, each once. */
export const degradedPolicies = (decisions: readonly Decision[]): readonly string[] => [
  ...new Set(decisions.flatMap(({ degradedBy }) => degradedBy?.policy ?? [])),
]
