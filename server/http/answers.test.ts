import { expect, test } from 'vitest'
import { LimitStoreUnavailable as LimitsUnavailable } from '#server/limits/stores/failover/failover-store.ts'
import { BudgetSpent } from '#server/storage/meter.ts'
import { ObjectCorrupt, ObjectStoreUnavailable } from '#server/storage/object-store.ts'
import { planFailure } from './answers.ts'
import { inEnglish } from './sentence.ts'

const wrapped = new Error('read failed', { cause: new ObjectStoreUnavailable('bucket secret-name at 10.1.2.3') })

function plan(error: unknown) {
  const { sentence, ...failure } = planFailure(error, 'id')
  return { ...failure, said: inEnglish(sentence) }
}

test.each<[string, unknown, string]>([
  ['the store', wrapped, 'image store'],
  ['the limiter', new LimitsUnavailable(), 'limit store'],
])('an outage of %s is 503 with Retry-After, and reveals nothing about the deployment', (_, error, name) => {
  const failure = plan(error)
  const said = expect.stringContaining(name)
  expect(failure).toEqual({ status: 503, headers: { 'Retry-After': '5' }, requestId: 'id', said })
  expect(JSON.stringify(failure)).not.toContain('secret-name')
})

test('a bug is 500 with the ID under which it is logged', () => {
  const said = 'Something went wrong on our side.'
  expect(plan(new ObjectCorrupt('x'))).toEqual({ status: 500, headers: {}, requestId: 'id', said })
})

test('a spent budget is 503 with a sentence, and not logged', () => {
  const said = 'The storage of this site is full. No image can be added right now.'
  const headers = { 'Retry-After': '3600' }
  expect(plan(new BudgetSpent('a budget', null))).toEqual({ status: 503, headers, requestId: null, said })
})
