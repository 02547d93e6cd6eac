import type { Decision } from '#server/limits/decision.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'

/** What an answer tells of the decisions that it cost: the RateLimit headers, and in `Sluice-Degraded` the policies for
 *  whose lack of permits it is less than what was asked for. */
export function limitHeaders(decisions: readonly Decision[]): Record<string, string> {
  const degraded = new Set(decisions.flatMap(({ degradedBy }) => degradedBy?.policy ?? []))
  return {
    ...rateLimitHeaders(decisions),
    ...(degraded.size > 0 && { 'Sluice-Degraded': [...degraded].join(', ') }),
  }
}
