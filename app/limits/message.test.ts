import { expect, test } from 'vitest'
import { hasCode, isSignedOut, messageOf } from './message.ts'
import { Overtaken } from './overtaken.ts'

const failure = (data: unknown) => Object.assign(new Error('No such image.'), { data })

test('the server writes the sentence', () => {
  expect(messageOf(failure({ httpStatus: 404, requestId: 'r1' }))).toBe('No such image.')
})

test('a fault of the server names the request', () => {
  expect(messageOf(failure({ httpStatus: 500, requestId: 'r1' }))).toBe(
    'No such image. If it happens again, tell whoever runs this site: request r1.',
  )
  expect(messageOf(failure({ httpStatus: 503, requestId: 'r2' }))).toBe(
    'No such image. If it happens again, tell whoever runs this site: request r2.',
  )
})

test('tells a session that has ended from other failures', () => {
  expect(isSignedOut(failure({ code: 'UNAUTHORIZED' }))).toBe(true)
  expect([failure({ code: 'FORBIDDEN' }), failure(undefined), null].map(isSignedOut)).toEqual([false, false, false])
})

test('knows a refusal by any of the codes asked about', () => {
  expect(hasCode(failure({ code: 'NOT_FOUND' }), 'PRECONDITION_FAILED', 'NOT_FOUND')).toBe(true)
  expect(hasCode(failure({ code: 'NOT_FOUND' }), 'CONFLICT')).toBe(false)
  expect(hasCode(new Error('No answer.'), 'NOT_FOUND')).toBe(false)
})

test('what another has changed meanwhile is said as it was found', () => {
  expect(messageOf(new Overtaken('It was changed meanwhile.', 5))).toBe('It was changed meanwhile.')
})

test('a request that got no answer says so', () => {
  expect(messageOf(failure(undefined))).toBe('The server could not be reached. Check your connection, then try again.')
  expect(messageOf('text')).toBe('Something went wrong. Try again.')
})
