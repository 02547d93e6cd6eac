import { expect, test, vi } from 'vitest'
import { LimitStoreUnavailable as LimitsUnavailable } from './limits/stores/failover/failover-store.ts'
import { findOutage, RETRY_SECONDS } from './outage.ts'
import { BudgetSpent } from './storage/meter.ts'
import { ObjectStoreUnavailable } from './storage/object-store.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test.each([
  [withCode('ENOSPC'), 'disk-full', 'The server has no disk space left. Try again later.'],
  [
    new Error('outer', { cause: new Error('inner', { cause: withCode('EDQUOT') }) }),
    'disk-full',
    'The server has no disk space left. Try again later.',
  ],
  [
    new Error('outer', { cause: new ObjectStoreUnavailable('bucket') }),
    'objects-unavailable',
    'The image store is unavailable. Try again in a few seconds.',
  ],
  [new LimitsUnavailable(), 'limits-unavailable', 'The limit store is unavailable. Try again in a few seconds.'],
  [new Error('Query read timeout'), 'database-unavailable', 'The database is unavailable. Try again in a few seconds.'],
])('%s is an outage', (error, code, message) => {
  const text = { code, params: {} }
  expect(findOutage(error)).toEqual({ text, message, retrySeconds: RETRY_SECONDS, isFault: true })
})

test.each([null, 'ENOSPC', new Error('x'), withCode('ENOENT'), withCode('EACCES')])('%s is not an outage', (error) => {
  expect(findOutage(error)).toBeNull()
})

test('a spent budget is not a fault, and ends with its period', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T23:59:00.500Z') })
  const spentUntil = (until: Date | null) => findOutage(new Error('outer', { cause: new BudgetSpent('spent', until) }))
  expect(spentUntil(new Date('2026-11-22T00:00:00Z'))).toEqual({
    text: { code: 'budget-spent', params: { until: { at: '2026-11-22T00:00:00.000Z' } } },
    message: 'This site has used up its budget for reading and storing images. Try again after 2026-11-22 00:00 UTC.',
    retrySeconds: 60,
    isFault: false,
  })
  expect(spentUntil(new Date('2026-11-21T00:00:00Z'))?.retrySeconds).toBe(1)
  expect(spentUntil(null)).toEqual({
    text: { code: 'site-full', params: {} },
    message: 'The storage of this site is full. No image can be added right now.',
    retrySeconds: 3_600,
    isFault: false,
  })
  vi.useRealTimers()
})
