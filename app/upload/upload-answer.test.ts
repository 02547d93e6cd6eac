import { expect, test } from 'vitest'
import { readAnswer } from './upload-answer.ts'

const error = (message: string, data: unknown = {}) => JSON.stringify({ error: { message, code: -32_000, data } })

test('an image', () => {
  const image = { id: '1', slug: 's', url: 'u', thumbnailUrl: 't', removed: ['exif'] }
  expect(readAnswer(200, JSON.stringify({ result: { data: { ...image, width: 3 } } }))).toEqual({ kind: 'done', image })
})

test('a refusal', () => {
  const limit = { ruleSet: 'upload', rule: '10 per minute', retryAfterMs: 4000 }
  const answer = readAnswer(429, error('Too many', { limit }))
  expect(answer.kind === 'refused' && answer.refusal.waitMs).toBe(4000)
})

test.each([
  [413, '<html>', 'The file is larger than one image may be. Save it smaller.', false],
  [415, '', 'Only JPEG, PNG, GIF, WebP and AVIF images are taken.', false],
  [422, error('Cut off in the middle.'), 'Cut off in the middle.', false],
  [500, error('stack'), 'The server could not take the file.', true],
  [
    500,
    error('stack', { requestId: 'r1' }),
    'The server could not take the file. If this keeps happening, give the site’s owner this request ID: r1.',
    true,
  ],
  [200, '<html>', 'The server could not take the file.', true],
])('%i %s', (status, body, reason, canRetry) => {
  expect(readAnswer(status, body)).toEqual({ kind: 'failed', reason, canRetry })
})

test.each([
  [0, null, true, 0],
  [502, null, false, 0],
  [503, '7', false, 7000],
  [504, 'soon', false, 0],
  [503, 'Thu, 01 Jan 1970 00:00:00 GMT', false, 0],
])('%i with Retry-After %s: the server is away', (status, retryAfter, isBroken, retryAfterMs) => {
  expect(readAnswer(status, '', retryAfter)).toEqual({ kind: 'lost', isBroken, retryAfterMs })
})

test('a session that has ended', () => {
  expect(readAnswer(401, error('Sign in first.'))).toEqual({ kind: 'signedOut' })
})

test('no room for one more, which may change', () => {
  const reason = 'Your images take 5 GB of your 5 GB.'
  expect(readAnswer(413, error(reason, { reason: 'over-quota' }))).toEqual({
    kind: 'failed',
    reason,
    canRetry: true,
    isFull: true,
  })
})
