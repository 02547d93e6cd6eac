import { expect, test } from 'vitest'
import { readAnswer } from './upload-answer.ts'

const error = (message: string, data: unknown = {}) => JSON.stringify({ error: { message, code: -32_000, data } })

test('an image', () => {
  const image = { id: '1', slug: 's', url: 'u', thumbnailUrl: 't', isNew: true, removed: ['exif'], isConverted: false }
  expect(readAnswer(200, JSON.stringify({ result: { data: { ...image, width: 3 } } }))).toEqual({ kind: 'done', image })
})

test('a refusal', () => {
  const limit = { ruleSet: 'upload', rule: '10 per minute', retryAfterMs: 4000 }
  const answer = readAnswer(429, error('Too many', { limit }))
  expect(answer.kind === 'refused' && answer.refusal.waitMs).toBe(4000)
})

test.each([
  [403, '<html>', { code: 'forbidden' }, false],
  [413, '<html>', { code: 'tooLargeUnknown' }, false],
  [415, '', { code: 'unsupported' }, false],
  [422, '', { code: 'damaged' }, false],
  [500, error('stack'), { code: 'fault', requestId: null }, true],
  [500, error('stack', { requestId: 'r1' }), { code: 'fault', requestId: 'r1' }, true],
  [200, '<html>', { code: 'fault', requestId: null }, true],
])('%i %s', (status, body, problem, canRetry) => {
  expect(readAnswer(status, body)).toEqual({ kind: 'failed', problem, canRetry })
})

test("passes on the server's own reason with its data", () => {
  const data = { text: { code: 'too-large', params: {} } }
  const answer = readAnswer(422, error('Cut off in the middle.', data))
  expect(answer).toMatchObject({ kind: 'failed', problem: { code: 'refused', error: { data } }, canRetry: false })
  expect(answer).toHaveProperty('problem.error.message', 'Cut off in the middle.')
})

test.each([
  [0, null, true, 0],
  [502, null, false, 0],
  [503, '7', false, 7000],
  [504, 'soon', false, 0],
  [503, 'Thu, 01 Jan 1970 00:00:00 GMT', false, 0],
])('%i with Retry-After %s: the server is unavailable', (status, retryAfter, isBroken, retryAfterMs) => {
  expect(readAnswer(status, '', retryAfter)).toEqual({ kind: 'lost', isBroken, retryAfterMs })
})

test('a session that has ended', () => {
  expect(readAnswer(401, error('Sign in first.'))).toEqual({ kind: 'signedOut' })
})

test('a full quota, which may be retried', () => {
  const body = error('Your images take 5 GB of your 5 GB.', { reason: 'over-quota' })
  expect(readAnswer(413, body)).toEqual({ kind: 'failed', problem: { code: 'full' }, canRetry: true })
})
