import fc from 'fast-check'
import { parseList } from 'structured-headers'
import { expect, test } from 'vitest'
import { type Decision, type RuleReport, UNLIMITED } from './decision.ts'
import { rateLimitHeaders } from './headers.ts'

function report(policy: string, limit: number, windowMs: number, remaining: number, resetMs: number): RuleReport {
  return {
    ruleSet: 'download',
    policy,
    parts: { limit, window: windowMs },
    unit: 'calls',
    limit,
    windowMs,
    remaining,
    resetMs,
  }
}

function allowed(...rules: RuleReport[]): Decision {
  return { ...UNLIMITED, rules, decidedBy: 'store' }
}

function refused(retryAfterMs: number, refusedBy: RuleReport, ...others: RuleReport[]): Decision {
  return { ...UNLIMITED, allowed: false, refusedBy, retryAfterMs, rules: [refusedBy, ...others], decidedBy: 'store' }
}

test('an allowed call reports every rule, and the tightest to older clients', () => {
  const decision = allowed(report('download-1s', 5, 1_000, 4, 1_000), report('download-1m', 100, 60_000, 3, 20_001))
  expect(rateLimitHeaders([decision])).toEqual({
    'RateLimit-Policy': '"download-1s";q=5;w=1, "download-1m";q=100;w=60',
    RateLimit: '"download-1s";r=4;t=1, "download-1m";r=3;t=21',
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Remaining': '3',
  })
})

test('a refusal adds the wait in whole seconds, rounded up, and shows the rule that refused', () => {
  const minute = report('download-1m', 100, 60_000, 2, 1_200)
  const decision = refused(12_001, minute, report('download-1s', 5, 1_000, 0, 300))
  expect(rateLimitHeaders([decision])).toEqual({
    'RateLimit-Policy': '"download-1m";q=100;w=60, "download-1s";q=5;w=1',
    RateLimit: '"download-1m";r=2;t=2, "download-1s";r=0;t=1',
    'X-RateLimit-Limit': '100',
    'X-RateLimit-Remaining': '2',
    'Retry-After': '13',
  })
})

test.each([
  [1, '1'],
  [999, '1'],
  [1_000, '1'],
  [1_001, '2'],
])('a wait of %d ms is Retry-After: %s', (ms, seconds) => {
  expect(rateLimitHeaders([refused(ms, report('a-1m', 1, 60_000, 0, ms))])['Retry-After']).toBe(seconds)
})

test('a window that is not a whole number of seconds has no w, and one with all its permits no t', () => {
  const decision = allowed(report('a-500ms', 2, 500, 2, 0), report('a-1500ms', 9, 1_500, 9, 0))
  expect(rateLimitHeaders([decision])).toMatchObject({
    'RateLimit-Policy': '"a-500ms";q=2, "a-1500ms";q=9',
    RateLimit: '"a-500ms";r=2, "a-1500ms";r=9',
  })
})

test('decisions of one response are merged: the lowest remainder of a policy, the longest wait', () => {
  const first = allowed(report('a-1m', 10, 60_000, 4, 30_000))
  const second = allowed(report('a-1m', 10, 60_000, 3, 29_000), report('b-1h', 100, 3_600_000, 50, 1_000))
  const third = refused(5_000, report('c-1s', 1, 1_000, 0, 5_000))
  const fourth = refused(7_000, report('d-1m', 1, 60_000, 0, 7_000))
  expect(rateLimitHeaders([first, second, third, fourth])).toEqual({
    'RateLimit-Policy': '"a-1m";q=10;w=60, "b-1h";q=100;w=3600, "c-1s";q=1;w=1, "d-1m";q=1;w=60',
    RateLimit: '"a-1m";r=3;t=29, "b-1h";r=50;t=1, "c-1s";r=0;t=5, "d-1m";r=0;t=7',
    'X-RateLimit-Limit': '1',
    'X-RateLimit-Remaining': '0',
    'Retry-After': '7',
  })
})

test('what no rule holds has no headers', () => {
  expect(rateLimitHeaders([])).toEqual({})
  expect(rateLimitHeaders([UNLIMITED])).toEqual({})
})

test('bytes and places say their unit, and older clients hear of calls', () => {
  const bytes = { ...report('upload-bytes-day', 20_000, 86_400_000, 10, 60_000), unit: 'bytes' as const }
  const places = { ...report('uploading-concurrent', 8, 30_000, 7, 0), unit: 'calls under way' as const }
  const calls = report('upload-1m', 60, 60_000, 59, 60_000)
  expect(rateLimitHeaders([allowed(bytes, places, calls)])).toEqual({
    'RateLimit-Policy':
      '"upload-bytes-day";q=20000;qu="content-bytes";w=86400, "uploading-concurrent";q=8;qu="concurrent-requests", "upload-1m";q=60;w=60',
    RateLimit: '"upload-bytes-day";r=10;t=60, "uploading-concurrent";r=7, "upload-1m";r=59;t=60',
    'X-RateLimit-Limit': '60',
    'X-RateLimit-Remaining': '59',
  })
  expect(rateLimitHeaders([refused(1_000, places, calls)])).toMatchObject({
    'X-RateLimit-Limit': '8',
    'Retry-After': '1',
  })
})

test('Retry-After is never earlier than the t of the policy that refused, whichever call of a batch reported it', () => {
  const taken = allowed(report('a-1m', 1, 60_000, 0, 30_001))
  const denied = refused(29_999, report('a-1m', 1, 60_000, 0, 29_999))
  const elsewhere = allowed(report('b-1h', 1, 3_600_000, 0, 3_600_000))
  expect(rateLimitHeaders([taken, denied, elsewhere])).toMatchObject({
    RateLimit: '"a-1m";r=0;t=31, "b-1h";r=0;t=3600',
    'Retry-After': '31',
  })
})

test('a rule that changed between two calls of a batch stands with both its names, or once with what is left of the lower', () => {
  const renamed = [allowed(report('a-1m', 10, 60_000, 4, 9_000)), allowed(report('a-5m', 50, 300_000, 45, 9_000))]
  expect(rateLimitHeaders(renamed)).toMatchObject({
    'RateLimit-Policy': '"a-1m";q=10;w=60, "a-5m";q=50;w=300',
    RateLimit: '"a-1m";r=4;t=9, "a-5m";r=45;t=9',
  })
  const resized = [allowed(report('a-1m', 100, 60_000, 94, 9_000)), allowed(report('a-1m', 10, 60_000, 3, 9_000))]
  expect(rateLimitHeaders(resized)).toMatchObject({
    'RateLimit-Policy': '"a-1m";q=10;w=60',
    RateLimit: '"a-1m";r=3;t=9',
  })
})

test('a wait that callers have brought is confirmed as applied: the shortest of a batch, in whole seconds', () => {
  const decision = { ...allowed(report('a-1m', 10, 60_000, 4, 9_000)), ownWaitMs: 60_000 }
  expect(rateLimitHeaders([decision, { ...decision, ownWaitMs: 1_500 }, UNLIMITED])).toMatchObject({
    'Preference-Applied': 'wait=1',
  })
})

const reports: fc.Arbitrary<RuleReport> = fc.record({
  ruleSet: fc.constant('set'),
  policy: fc.stringMatching(/^[A-Za-z0-9._-]{1,64}-(1s|1m|day|concurrent)$/),
  parts: fc.constant({ limit: 1, window: 1 }),
  unit: fc.constantFrom('calls', 'bytes', 'calls under way'),
  // All addresses of a shared account together have twenty times the largest limit.
  limit: fc.integer({ min: 1, max: 2e13 }),
  windowMs: fc.integer({ min: 1, max: 366 * 86_400_000 }),
  remaining: fc.integer({ min: 0, max: 2e13 }),
  resetMs: fc.integer({ min: 0, max: 366 * 86_400_000 }),
})
const decisionsOf = fc.oneof(
  fc.array(reports, { minLength: 1 }).map((rules) => allowed(...rules)),
  fc.tuple(fc.nat(1e9), reports).map(([waitMs, rule]) => refused(waitMs, rule)),
)

test('headers are lists of RFC 9651 with the parameters of the draft', () => {
  fc.assert(
    fc.property(fc.array(decisionsOf, { minLength: 1 }), (decisions) => {
      const { 'RateLimit-Policy': policies = '', RateLimit: limits = '', ...rest } = rateLimitHeaders(decisions)
      const named = parseList(policies).map(([name, parameters]) => {
        const { q, qu, w, ...others } = Object.fromEntries(parameters)
        expect(others).toEqual({})
        expect(q).toSatisfy(isInteger)
        expect([undefined, 'content-bytes', 'concurrent-requests']).toContain(qu)
        expect(w ?? 1).toSatisfy((value) => isInteger(value) && value > 0)
        return name
      })
      const states = parseList(limits).map(([name, parameters]) => {
        const { r, t, ...others } = Object.fromEntries(parameters)
        expect(others).toEqual({})
        expect([r, t ?? 0]).toSatisfy((values) => values.every(isInteger))
        return name
      })
      expect(states).toEqual(named)
      expect(named.every((name) => typeof name === 'string')).toBe(true)
      expect(new Set(named).size).toBe(named.length)
      for (const value of Object.values(rest)) expect(value).toMatch(/^\d+$/)
    }),
  )
})

/** A structured field's integer has at most 15 digits. */
const isInteger = (value: unknown): value is number =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) < 1e15
