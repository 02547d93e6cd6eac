import { expect, test } from 'vitest'
import { chooseRetryDelay, findRefusal } from './refusal.ts'

const limit = {
  ruleSet: 'download',
  policy: 'download-1m',
  rule: '100 per minute',
  parts: { limit: 100, unit: 'calls', window: 60_000 },
  limit: 100,
  windowMs: 60_000,
  retryAfterMs: 12_000,
}

test('reads the refusal of a tRPC error', () => {
  expect(findRefusal({ message: 'no', data: { code: 'TOO_MANY_REQUESTS', limit } }, 1000)).toEqual({
    ruleSet: 'download',
    rule: limit.parts,
    waitMs: 12_000,
    until: 13_000,
    from: expect.objectContaining({ limit }),
  })
})

test('knows a rule that the store’s failure replaces, and one that the answer does not describe', () => {
  const ruleOf = (parts: unknown) => findRefusal({ data: { limit: { ...limit, parts } } })?.rule
  expect([ruleOf({ concurrent: 8 }), ruleOf(null), ruleOf(undefined), ruleOf({})]).toEqual([
    { concurrent: 8 },
    'store',
    'unknown',
    'unknown',
  ])
})

test('reads the refusal of a sign-in', () => {
  expect(findRefusal({ error: 'TooManyRequests', limit }, 0)?.until).toBe(12_000)
})

test('counts from when an error was first seen', () => {
  const error = { data: { limit } }
  findRefusal(error, 5000)
  expect(findRefusal(error, 9000)?.until).toBe(17_000)
})

test.each([null, undefined, 'text', {}, { data: null }, { data: { limit: null } }, { data: { limit: { rule: 1 } } }])(
  '%j is not a refusal',
  (error) => {
    expect(findRefusal(error)).toBeNull()
  },
)

test.each([-1, Number.NaN, Number.POSITIVE_INFINITY, '12'])('%j is not a wait', (retryAfterMs) => {
  expect(findRefusal({ data: { limit: { ...limit, retryAfterMs } } })).toBeNull()
})

test('retries a refused query after its wait, spread over a second', () => {
  expect(chooseRetryDelay({ data: { limit } }, 0, 0)).toBe(12_250)
  expect(chooseRetryDelay({ data: { limit } }, 3, 1)).toBe(13_000)
})

test('other failures back off for up to eight seconds', () => {
  expect([0, 1, 2, 3, 4].map((failures) => chooseRetryDelay(new Error('offline'), failures, 0.5))).toEqual([
    1000, 2000, 4000, 8000, 8000,
  ])
})
