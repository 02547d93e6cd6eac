import { expect, test } from 'vitest'
import type { FoundImage } from '#server/images/image-by-address.ts'
import { originalKey, WHOLE_BYTES } from '#server/storage/object-store.ts'
import { inEnglish } from '../sentence.ts'
import { type AnswerPlan, chargedBytes } from './answer-plan.ts'
import { type AnswerFacts, planAnswer } from './plan-answer.ts'

const sha256 = 'a'.repeat(64)
const ETAG = `"${sha256}"`
const STORED = 'Sat, 21 Nov 2026 08:49:37 GMT'
const EARLIER = 'Sat, 21 Nov 2026 08:49:36 GMT'

function makeFound(change: Partial<FoundImage['image']> = {}): FoundImage {
  const createdAt = new Date('2026-11-21T08:49:37.900Z')
  const own = { id: 'one', ownerId: 'ann', sha256, mime: 'image/png', width: 4_000, height: 3_000, size: 1_000 }
  const image = {
    ...own,
    ...{ filename: 'a b.png', title: 'a b' },
    visibility: 'public' as const,
    createdAt,
    awaitsApproval: false,
    trashedAt: null,
    replacedAt: null,
    ...change,
  }
  const { mime, size, filename } = image
  const representation = {
    key: originalKey(sha256),
    mime,
    etag: ETAG,
    size,
    storedAt: createdAt,
    filename,
    standsIn: false,
  }
  return { image, representation }
}

const GUEST: AnswerFacts = { method: 'GET', headers: {}, download: null, degradedBy: [], cacheSeconds: 42 }
const plan = (facts: Partial<AnswerFacts> = {}, found: FoundImage | null = makeFound()): AnswerPlan =>
  planAnswer({ ...GUEST, ...facts }, found)

/** Returns the status and what is sent: a text, a number of bytes, or nothing. */
function outline({ status, headers, body }: AnswerPlan) {
  if (typeof body === 'function') return [status, inEnglish(body)]
  return [status, body === null ? null : Number(headers['Content-Length'])]
}

const PUBLIC = { 'Cross-Origin-Resource-Policy': 'cross-origin', 'Cache-Control': 'public, max-age=42' }

test('sends the whole object with everything that a client may store', () => {
  expect(plan()).toEqual({
    status: 200,
    headers: {
      ...PUBLIC,
      ETag: ETAG,
      'Last-Modified': STORED,
      'Content-Disposition': 'inline; filename="a b.png"',
      'Accept-Ranges': 'bytes',
      'Content-Type': 'image/png',
      'Content-Length': '1000',
    },
    showsLimits: false,
    body: { key: originalKey(sha256), size: 1_000, range: null },
  })
})

const FAILED = [412, 'The image does not match the condition of the request.']
const UNSATISFIABLE = [416, 'The image does not contain the requested range.']

test.each<[string, AnswerFacts['headers'], unknown]>([
  ['the same tag', { 'if-none-match': ETAG }, [304, null]],
  ['the same tag, weakly', { 'if-none-match': `W/${ETAG}` }, [304, null]],
  ['the same among others', { 'if-none-match': `"b", ${ETAG}` }, [304, null]],
  ['any tag', { 'if-none-match': '*' }, [304, null]],
  ['another tag, whatever the date', { 'if-none-match': '"b"', 'if-modified-since': STORED }, [200, 1_000]],
  ['a date since which nothing changed', { 'if-modified-since': STORED }, [304, null]],
  ['an earlier date', { 'if-modified-since': EARLIER }, [200, 1_000]],
  ['no date', { 'if-modified-since': 'yesterday' }, [200, 1_000]],
  ['a matching If-Match', { 'if-match': ETAG }, [200, 1_000]],
  ['If-Match with another tag', { 'if-match': '"b"' }, FAILED],
  ['If-Match with a weak tag', { 'if-match': `W/${ETAG}` }, FAILED],
  ['changed since', { 'if-unmodified-since': EARLIER }, FAILED],
  ['not changed since', { 'if-unmodified-since': STORED }, [200, 1_000]],
  ['If-Match before all others', { 'if-match': '"b"', 'if-none-match': ETAG, range: 'bytes=0-9' }, FAILED],
  ['a condition before a range', { 'if-none-match': ETAG, range: 'bytes=5000-' }, [304, null]],
  ['a range', { range: 'bytes=10-19' }, [206, 10]],
  ['the last bytes', { range: 'bytes=-7' }, [206, 7]],
  ['a range to the end', { range: 'bytes=990-' }, [206, 10]],
  ['a range that is the whole', { range: 'bytes=0-' }, [206, 1_000]],
  ['a range beyond the end', { range: 'bytes=1000-' }, UNSATISFIABLE],
  ['several ranges', { range: 'bytes=0-0,500-509' }, [200, 1_000]],
  ['several beyond the end', { range: 'bytes=1000-,2000-' }, [200, 1_000]],
  ['a malformed range', { range: 'bytes=b-a' }, [200, 1_000]],
  ['another unit', { range: 'pixels=0-9' }, [200, 1_000]],
  ['a range of the same version', { range: 'bytes=0-9', 'if-range': ETAG }, [206, 10]],
  ['a range of the same version by date', { range: 'bytes=0-9', 'if-range': STORED }, [206, 10]],
  ['a range of another version', { range: 'bytes=0-9', 'if-range': '"b"' }, [200, 1_000]],
  ['a range beyond the end of another version', { range: 'bytes=1000-', 'if-range': '"b"' }, [200, 1_000]],
])('%s', (_, headers, expected) => {
  expect(outline(plan({ headers }))).toEqual(expected)
})

test('reads a range as it is, and one that is the whole as the whole, so that it is verified', () => {
  const key = originalKey(sha256)
  const part = plan({ headers: { range: 'bytes=10-19' } })
  expect(part.headers).toMatchObject({ 'Content-Range': 'bytes 10-19/1000', 'Content-Length': '10' })
  expect(part.body).toEqual({ key, size: 1_000, range: { start: 10, end: 19 } })
  const all = plan({ headers: { range: 'bytes=0-' } })
  expect(all.headers).toMatchObject({ 'Content-Range': 'bytes 0-999/1000', 'Content-Length': '1000' })
  expect(all.body).toEqual({ key, size: 1_000, range: null })
})

test.each([
  [WHOLE_BYTES, { range: 'bytes=-1' }, 'GET', WHOLE_BYTES],
  [WHOLE_BYTES + 1, { range: 'bytes=-1' }, 'GET', 1],
  [WHOLE_BYTES + 1, { range: 'bytes=1-' }, 'GET', WHOLE_BYTES],
  [WHOLE_BYTES + 1, {}, 'GET', WHOLE_BYTES + 1],
  [WHOLE_BYTES, {}, 'HEAD', 0],
  [WHOLE_BYTES, { 'if-none-match': ETAG }, 'GET', 0],
  [WHOLE_BYTES, { 'if-match': '"b"' }, 'GET', 0],
])('charges a request for an object of %i bytes, with %j by %s, as %i bytes', (size, headers, method, bytes) => {
  expect(chargedBytes(plan({ method, headers }, makeFound({ size })))).toBe(bytes)
})

test('an unsatisfiable range gets the size, without caching headers', () => {
  expect(plan({ headers: { range: 'bytes=1000-' } }).headers).toEqual({ 'Content-Range': 'bytes */1000' })
})

test.each([{}, { range: 'bytes=0-9' }, { range: 'bytes=5000-' }])(
  'a HEAD is a GET of the whole without the body: %j',
  (headers) => {
    const { headers: told } = plan()
    expect(plan({ method: 'HEAD', headers })).toEqual({ status: 200, headers: told, showsLimits: false, body: null })
  },
)

test('a HEAD evaluates conditions as a GET does', () => {
  expect(outline(plan({ method: 'HEAD', headers: { 'if-none-match': ETAG } }))).toEqual([304, null])
  expect(outline(plan({ method: 'HEAD', headers: { 'if-match': '"b"' } }))).toEqual(FAILED)
})

test('a 304 has what a cache must update, and nothing about the bytes', () => {
  const { headers } = plan({ headers: { 'if-none-match': ETAG } })
  expect(headers).toEqual({ ...PUBLIC, ETag: ETAG })
})

const KEPT_BY_NOBODY = { 'Cache-Control': 'no-store' }
const OWN = { 'Cross-Origin-Resource-Policy': 'same-origin' }

test.each<[string, Partial<AnswerFacts>, Partial<FoundImage['image']>, AnswerPlan['headers'], boolean]>([
  ['a public image', {}, {}, PUBLIC, false],
  ['one with a link', {}, { visibility: 'link' }, PUBLIC, false],
  [
    'a private one',
    {},
    { visibility: 'private' },
    { ...OWN, 'Cache-Control': 'private, no-cache', Vary: 'Cookie, Authorization' },
    true,
  ],
  ['one in the trash', {}, { trashedAt: new Date(0) }, { ...OWN, 'Cache-Control': 'private, no-cache' }, true],
  ['a download', { download: 'x' }, {}, KEPT_BY_NOBODY, true],
  ['a private download', { download: 'x' }, { visibility: 'private' }, { ...OWN, ...KEPT_BY_NOBODY }, true],
  ['a smaller variant', { degradedBy: ['a', 'b'] }, {}, { ...KEPT_BY_NOBODY, 'Sluice-Degraded': 'a, b' }, true],
  ['one that has no more pixels', { degradedBy: ['a'] }, { width: 700, height: 500 }, PUBLIC, false],
])('caching of %s, and whether it shows limits', (_, facts, image, headers, showsLimits) => {
  for (const more of [{}, { 'if-none-match': facts.degradedBy ? '"b"' : ETAG }, { range: 'bytes=0-9' }]) {
    const planned = plan({ ...facts, headers: more }, makeFound(image))
    expect(planned.headers).toMatchObject(headers)
    expect(planned.showsLimits).toBe(showsLimits)
  }
})

test('a download is an attachment', () => {
  expect(plan({ download: 'x' }).headers['Content-Disposition']).toBe('attachment; filename="a b.png"')
})

test('a smaller variant in place of a larger one is sent whole and cannot be mistaken for it', () => {
  for (const headers of [{}, { 'if-none-match': '*' }, { 'if-match': '"b"' }, { range: 'bytes=0-9' }]) {
    const planned = plan({ degradedBy: ['view-large-1m'], headers })
    expect(outline(planned)).toEqual([200, 1_000])
    expect(planned.headers).toMatchObject({
      'Accept-Ranges': 'none',
      'Content-Disposition': 'inline; filename="a b.png"',
    })
    expect(planned.headers).not.toHaveProperty('ETag')
    expect(planned.headers).not.toHaveProperty('Last-Modified')
  }
})

test('a hidden or missing image gets one answer, whatever was requested', () => {
  const missing = plan({}, null)
  expect(missing).toMatchObject({ status: 404, headers: {}, showsLimits: false })
  expect(outline(missing)).toEqual([404, 'Image not found.'])
  for (const facts of [
    { method: 'HEAD' },
    { download: 'x' },
    { headers: { range: 'bytes=5000-', 'if-none-match': '*' } },
  ])
    expect(plan(facts, null)).toEqual(missing)
})
