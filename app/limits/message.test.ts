import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { failures } from '#messages/en/failures.ts'
import { EditConflict } from './edit-conflict.ts'
import { describeFailure, hasCode, isSignedOut } from './message.ts'

const t = createTranslator({ locale: 'en', messages: { failures }, namespace: 'failures' })
const describeError = (error: unknown) => describeFailure(error, t)
const failure = (data: unknown) => Object.assign(new Error('No such image.'), { data })

test('uses the server’s sentence', () => {
  expect(describeError(failure({ httpStatus: 404, requestId: 'r1' }))).toBe('No such image.')
})

test('prefers what it says in the language of its reader', () => {
  expect(describeError(failure({ httpStatus: 404, sentence: '未找到图片。' }))).toBe('未找到图片。')
  expect(describeError(failure({ httpStatus: 404, sentence: null }))).toBe('No such image.')
})

test('includes the request ID for a fault of the server', () => {
  expect(describeError(failure({ httpStatus: 500, requestId: 'r1' }))).toBe(
    'No such image. If this keeps happening, give the site’s owner this request ID: r1.',
  )
  expect(describeError(failure({ httpStatus: 503, requestId: 'r2' }))).toBe(
    'No such image. If this keeps happening, give the site’s owner this request ID: r2.',
  )
})

test('distinguishes an ended session from other failures', () => {
  expect(isSignedOut(failure({ code: 'UNAUTHORIZED' }))).toBe(true)
  expect([failure({ code: 'FORBIDDEN' }), failure(undefined), null].map(isSignedOut)).toEqual([false, false, false])
})

test('recognizes a refusal by any of the given codes', () => {
  expect(hasCode(failure({ code: 'NOT_FOUND' }), 'PRECONDITION_FAILED', 'NOT_FOUND')).toBe(true)
  expect(hasCode(failure({ code: 'NOT_FOUND' }), 'CONFLICT')).toBe(false)
  expect(hasCode(new Error('No answer.'), 'NOT_FOUND')).toBe(false)
})

test('uses the sentence of an edit conflict', () => {
  expect(describeError(new EditConflict('Changed in the meantime.', 5))).toBe('Changed in the meantime.')
})

test('reports a request without an answer', () => {
  expect(describeError(failure(undefined))).toBe('The server cannot be reached. Check your connection and try again.')
  expect(describeError('text')).toBe('Something went wrong. Try again.')
})
