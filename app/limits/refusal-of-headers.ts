import type { RefusedCall, RefusingRule } from './refusal.ts'

/** Reads a refusal from a 429's headers, for answers whose body cannot be read. The wait is 5 s if they give none. */
export function refusalOfHeaders(headers: Pick<Headers, 'get'>, now = Date.now()): RefusedCall {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  const waitMs = (Number.isFinite(seconds) && seconds > 0 ? seconds : 5) * 1000
  const policy = headers.get('ratelimit')?.match(/"([^"]+)"\s*;\s*r=0\b/)?.[1] ?? 'view'
  return {
    ruleSet: policy.replace(/-\d+(ms|[smhd])$/, ''),
    rule: ruleIn(headers.get('ratelimit-policy'), policy),
    waitMs,
    until: now + waitMs,
  }
}

/** Reads the rule of `policy`: `"view-1m";q=600;w=60` is 600 per minute. */
function ruleIn(policies: string | null, policy: string): RefusingRule {
  const item = policies?.split(',').find((part) => part.includes(`"${policy}"`))
  const quota = item?.match(/;\s*q=(\d+)/)?.[1]
  const unit = item?.includes(';qu="content-bytes"') ? 'bytes' : 'calls'
  const window = item?.match(/;\s*w=(\d+)/)?.[1]
  return quota && window ? { limit: Number(quota), unit, window: Number(window) * 1000 } : 'unknown'
}
