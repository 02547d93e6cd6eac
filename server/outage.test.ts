import { expect, test, vi } from 'vitest'
import { LimitStoreUnavailable as LimitsUnavailable } from './limits/stores/failover/failover-store.ts'
import { outageOf, RETRY_SECONDS } from './outage.ts'
import { BudgetSpent } from './storage/meter.ts'
import { ObjectStoreUnavailable } from './storage/object-store.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test.each([
  [withCode('ENOSPC'), 'The server has no space left. Try again later.'],
  [
    new Error('outer', { cause: new Error('inner', { cause: withCode('EDQUOT') }) }),
    'The server has no space left. Try again later.',
  ],
  [
    new Error('outer', { cause: new ObjectStoreUnavailable('bucket') }),
    'The store of images does not answer. Try again in a few seconds.',
  ],
  [new LimitsUnavailable(), 'The store of limits does not answer. Try again in a few seconds.'],
  [new Error('Query read timeout'), 'The database does not answer. Try again in a few seconds.'],
])('%s is an outage', (error, message) => {
  expect(outageOf(error)).toEqual({ message, retrySeconds: RETRY_SECONDS, isFault: true })
})

test.each([null, 'ENOSPC', new Error('x'), withCode('ENOENT'), withCode('EACCES')])('%s is no outage', (error) => {
  expect(outageOf(error)).toBeNull()
})

test('a spent budget is no fault, and ends with its period', () => {
  vi.useFakeTimers({ now: new Date('2026-11-21T23:59:00.500Z') })
  const spentUntil = (until: Date | null) => outageOf(new Error('outer', { cause: new BudgetSpent('spent', until) }))
  const spent = { message: 'spent', isFault: false }
  expect(spentUntil(new Date('2026-11-22T00:00:00Z'))).toEqual({ ...spent, retrySeconds: 60 })
  expect(spentUntil(new Date('2026-11-21T00:00:00Z'))).toEqual({ ...spent, retrySeconds: 1 })
  expect(spentUntil(null)).toEqual({ ...spent, retrySeconds: 3_600 })
  vi.useRealTimers()
})
