import { expect, test } from 'vitest'
import { type Decision, type RuleReport, UNLIMITED } from '#server/limits/decision.ts'
import { limitHeaders } from './limit-headers.ts'

const report = (policy: string, remaining: number): RuleReport => ({
  ruleSet: 'view',
  policy,
  parts: { limit: 10, unit: 'calls', window: 60_000 },
  unit: 'calls',
  limit: 10,
  windowMs: 60_000,
  remaining,
  resetMs: 6_000,
})
const less = (policy: string): Decision => ({ ...UNLIMITED, rules: [report(policy, 0)], degradedBy: report(policy, 0) })

test('names each policy that reduced the answer once', () => {
  const { 'Sluice-Degraded': degraded, RateLimit } = limitHeaders([less('view-1m'), less('list-1m'), less('view-1m')])
  expect(degraded).toBe('view-1m, list-1m')
  expect(RateLimit).toBe('"view-1m";r=0;t=6, "list-1m";r=0;t=6')
})

test('has no Sluice-Degraded otherwise, and no headers without limits', () => {
  expect(limitHeaders([{ ...UNLIMITED, rules: [report('view-1m', 3)] }])).not.toHaveProperty('Sluice-Degraded')
  expect(limitHeaders([UNLIMITED])).toEqual({})
})
