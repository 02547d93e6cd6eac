import type { Decision, RuleReport } from './decision.ts'

/** RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers-11), X-RateLimit-Limit and -Remaining of the
 *  tightest rule, Retry-After on a refusal, and Preference-Applied (RFC 7240) for a call that has brought its own wait. Several decisions of one response are merged: a policy's lowest
 *  remainder and the longest wait hold. Nothing for decisions without rules. */
export function rateLimitHeaders(decisions: readonly Decision[]): Record<string, string> {
  const rules = lowestByPolicy(decisions)
  const refused = decisions.filter((decision) => !decision.allowed)
  const waitMs = Math.max(0, ...refused.map((decision) => decision.retryAfterMs))
  const exhausted = rules.filter(({ policy }) => refused.some(({ refusedBy }) => refusedBy?.policy === policy))
  const tightest =
    refusingRule(refused, waitMs) ?? rules.filter(({ unit }) => unit === 'calls').toSorted(byRemainder)[0]
  const ownWaitsMs = decisions.flatMap(({ ownWaitMs }) => ownWaitMs ?? [])
  return {
    ...(rules.length > 0 ? stateOf(rules) : {}),
    ...(tightest ? stateForOlderClients(tightest) : {}),
    ...(refused.length > 0 ? { 'Retry-After': retryAfter(waitMs, exhausted) } : {}),
    ...(ownWaitsMs.length > 0 ? { 'Preference-Applied': waitApplied(ownWaitsMs) } : {}),
  }
}

/** Never earlier than the `t` of a policy that refused (section 6 of the draft), which another call of the batch may have
 *  reported. */
function retryAfter(waitMs: number, exhausted: readonly RuleReport[]): string {
  return String(Math.max(1, seconds(waitMs), ...exhausted.map(({ resetMs }) => seconds(resetMs))))
}

/** The wait that all calls of the answer were given, in whole seconds. */
const waitApplied = (ownWaitsMs: readonly number[]): string => `wait=${Math.floor(Math.min(...ownWaitsMs) / 1_000)}`

const stateOf = (rules: readonly RuleReport[]) => ({
  'RateLimit-Policy': rules.map(policyItem).join(', '),
  RateLimit: rules.map(stateItem).join(', '),
})

/** They expect calls, unless another unit refused them. */
const stateForOlderClients = ({ limit, remaining }: RuleReport) => ({
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
})

function lowestByPolicy(decisions: readonly Decision[]): readonly RuleReport[] {
  const lowest = new Map<string, RuleReport>()
  for (const rule of decisions.flatMap((decision) => decision.rules)) {
    const known = lowest.get(rule.policy)
    if (!known || byRemainder(rule, known) < 0) lowest.set(rule.policy, rule)
  }
  return [...lowest.values()]
}

function refusingRule(refused: readonly Decision[], waitMs: number): RuleReport | null {
  return refused.find((decision) => decision.retryAfterMs === waitMs)?.refusedBy ?? null
}

/** Fewest permits first; equals by the later reset first. */
function byRemainder(a: RuleReport, b: RuleReport): number {
  return a.remaining - b.remaining || b.resetMs - a.resetMs
}

/** The draft's units, other than requests. */
const UNITS: Readonly<Record<RuleReport['unit'], string>> = {
  calls: '',
  bytes: ';qu="content-bytes"',
  'calls under way': ';qu="concurrent-requests"',
}

/** The draft's `w` is whole seconds; other windows are left out, and places have no window. */
function policyItem({ policy, unit, limit, windowMs }: RuleReport): string {
  const window = unit !== 'calls under way' && windowMs % 1_000 === 0 ? `;w=${windowMs / 1_000}` : ''
  return `"${policy}";q=${limit}${UNITS[unit]}${window}`
}

/** The draft's `t`: within so many seconds no more than `r` can be used. */
function stateItem({ policy, remaining, resetMs }: RuleReport): string {
  return resetMs > 0 ? `"${policy}";r=${remaining};t=${seconds(resetMs)}` : `"${policy}";r=${remaining}`
}

/** Rounded up: a client that waits this long is not refused a second time. */
function seconds(ms: number): number {
  return Math.ceil(ms / 1_000)
}
