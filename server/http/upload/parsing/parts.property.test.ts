import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inPieces, readProblem, sizes } from '#testing/http/form-parts.ts'
import { jsonParts } from './json-parts.ts'
import { multipartParts } from './multipart-parts.ts'
import { urlencodedParts } from './urlencoded-parts.ts'

describe('any body', () => {
  const head = 'Content-Disposition: form-data; name="file"; filename="a.png"\r\nContent-Type: image/png'
  const seeds = {
    multipart: `--xx\r\nContent-Disposition: form-data; name="a"\r\n\r\nb\r\n--xx\r\n${head}\r\n\r\nQUJD\r\n--xx--\r\n`,
    json: '{"a":[1,{"b":"c"}],"file":"QUJD\\/\\u0041","n":null}',
    urlencoded: 'a=b%20c&source=QUJD%2B+&d',
  }
  const readers = {
    multipart: (body: AsyncIterable<Buffer>) =>
      multipartParts(body, { contentType: 'multipart/form-data; boundary=xx' }),
    json: (body: AsyncIterable<Buffer>) => jsonParts(body),
    urlencoded: (body: AsyncIterable<Buffer>) => urlencodedParts(body),
  }
  const edit = fc.record({
    at: fc.nat(300),
    remove: fc.nat(12),
    insert: fc.oneof(
      fc.constantFrom(
        '--xx',
        '\r\n',
        '\r\n--xx\r\n',
        '\r\n--xx--',
        '\r\n\r\n',
        '"',
        '\\',
        '\\u',
        '{',
        '[',
        '}',
        '&',
        '=',
        '%',
        '--xx--',
      ),
      fc.string({ maxLength: 6, unit: 'binary' }),
    ),
  })
  const cases = fc.constantFrom('multipart', 'json', 'urlencoded')

  it('is read to its end, or refused with a known problem', () =>
    fc.assert(
      fc.asyncProperty(cases, fc.array(edit, { maxLength: 4 }), sizes, async (kind, edits, cut) => {
        let body = seeds[kind]
        for (const { at, remove, insert } of edits) body = body.slice(0, at) + insert + body.slice(at + remove)
        const outcome = await readProblem(readers[kind](inPieces(body, cut)))
        const known = ['incomplete', 'bad-form', 'bad-json', 'bad-base64', 'no-url']
        expect(Array.isArray(outcome) || known.includes(String(outcome))).toBe(true)
      }),
      { numRuns: 3_000 },
    ))
})
