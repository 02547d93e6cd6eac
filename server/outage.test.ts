import { expect, test } from 'vitest'
import { StoreUnavailable as LimitsUnavailable } from './limits/deciders/decider.ts'
import { outageOf } from './outage.ts'
import { StoreUnavailable } from './storage/object-store.ts'

const withCode = (code: string) => Object.assign(new Error(code), { code })

test.each([
  [withCode('ENOSPC'), 'The server has no space left. Try again later.'],
  [
    new Error('outer', { cause: new Error('inner', { cause: withCode('EDQUOT') }) }),
    'The server has no space left. Try again later.',
  ],
  [
    new Error('outer', { cause: new StoreUnavailable('bucket') }),
    'The store of images does not answer. Try again in a few seconds.',
  ],
  [new LimitsUnavailable(), 'The store of limits does not answer. Try again in a few seconds.'],
  [new Error('Query read timeout'), 'The database does not answer. Try again in a few seconds.'],
])('%s is an outage', (error, message) => {
  expect(outageOf(error)).toEqual({ message })
})

test.each([null, 'ENOSPC', new Error('x'), withCode('ENOENT'), withCode('EACCES')])('%s is none', (error) => {
  expect(outageOf(error)).toBeNull()
})
