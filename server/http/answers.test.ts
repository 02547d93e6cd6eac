import { expect, test } from 'vitest'
import { LimitStoreUnavailable as LimitsUnavailable } from '#server/limits/stores/failover/failover-store.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import { ObjectCorrupt, ObjectStoreUnavailable } from '#server/storage/object-store.ts'
import { planFailure } from './answers.ts'

const wrapped = new Error('read failed', { cause: new ObjectStoreUnavailable('bucket secret-name at 10.1.2.3') })

test.each<[string, unknown, unknown]>([
  ['the store', wrapped, { error: expect.stringContaining('image store'), requestId: 'id' }],
  ['the limiter', new LimitsUnavailable(), { error: expect.stringContaining('limit store'), requestId: 'id' }],
])('an outage of %s is 503 with Retry-After, and reveals nothing about the deployment', (_, error, body) => {
  const failure = planFailure(error, 'id')
  expect(failure).toEqual({ status: 503, headers: { 'Retry-After': '5' }, body })
  expect(JSON.stringify(failure)).not.toContain('secret-name')
})

test('a bug is 500 with the ID under which it is logged', () => {
  const body = { error: 'Something went wrong on our side.', requestId: 'id' }
  expect(planFailure(new ObjectCorrupt('x'), 'id')).toEqual({ status: 500, headers: {}, body })
})

test('a spent budget is 503 with a sentence, and not logged', () => {
  const failure = planFailure(new BudgetSpent('a budget', null), 'id')
  const body = 'The storage of this site is full. No image can be added right now.'
  expect(failure).toEqual({ status: 503, headers: { 'Retry-After': '3600' }, body })
})
