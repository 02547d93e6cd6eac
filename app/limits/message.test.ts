import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { failures } from '#messages/en/failures.ts'
import { EditConflict } from './edit-conflict.ts'
import { describeFailure, hasCode, isSignedOut } from './message.ts'

const t = createTranslator({ locale: 'en', messages: { failures }, namespace: 'failures' })
const messageOf = (error: unknown) => describeFailure(error, t, () => null)
const failure = (data: unknown) => Object.assign(new Error('No such image.'), { data })

test('the server writes the sentence', () => {
  expect(messageOf(failure({ httpStatus: 404, requestId: 'r1' }))).toBe('No such image.')
})

test('a fault of the server names the request', () => {
  expect(messageOf(failure({ httpStatus: 500, requestId: 'r1' }))).toBe(
    'No such image. If this keeps happening, give the site’s owner this request ID: r1.',
  )
  expect(messageOf(failure({ httpStatus: 503, requestId: 'r2' }))).toBe(
    'No such image. If this keeps happening, give the site’s owner this request ID: r2.',
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
  expect(messageOf(new EditConflict('Changed in the meantime.', 5))).toBe('Changed in the meantime.')
})

test('a request that got no answer says so', () => {
  expect(messageOf(failure(undefined))).toBe('The server cannot be reached. Check your connection and try again.')
  expect(messageOf('text')).toBe('Something went wrong. Try again.')
})
