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

/** Returns the policies without enough permits, each once. */
export const degradedPolicies = (decisions: readonly Decision[]): readonly string[] => [
  ...new Set(decisions.flatMap(({ degradedBy }) => degradedBy?.policy ?? [])),
]
