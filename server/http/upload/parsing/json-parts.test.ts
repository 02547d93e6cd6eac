import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldName, file, inPieces, readAll, readProblem, sizes, text } from '#testing/http/form-parts.ts'
import { jsonParts } from './json-parts.ts'

describe('a form of JSON', () => {
  const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })

  it('yields its strings and its file, whatever surrounds them and however it is chunked', () =>
    fc.assert(
      fc.asyncProperty(
        file,
        fieldName,
        fc.string(),
        json,
        sizes,
        fc.boolean(),
        async (bytes, name, value, more, cut, spaced) => {
          const body = JSON.stringify(
            { [`x${name}`]: value, more: [more], file: bytes.toString('base64'), last: 'z' },
            null,
            spaced ? 2 : 0,
          )
          const escaped = body.replaceAll('/', String.raw`\/`)
          expect(await readAll(jsonParts(inPieces(escaped, cut)))).toEqual([
            { name: `x${name}`, value: value.toWellFormed() },
            { filename: '', bytes: text(bytes) },
            { name: 'last', value: 'z' },
          ])
        },
      ),
      { numRuns: 200 },
    ))

  it('yields numbers, booleans and null as strings', async () => {
    const body = '{"filename":"K\\u00e4se.png","n":-1.5e3,"ok":true,"none":null,"image":"QUJD"}'
    expect(await readAll(jsonParts(inPieces(body, [7])))).toEqual([
      { name: 'filename', value: 'Käse.png' },
      { name: 'n', value: '-1.5e3' },
      { name: 'ok', value: 'true' },
      { name: 'none', value: 'null' },
      { filename: '', bytes: 'ABC' },
    ])
  })

  it.each([
    ['', 'incomplete'],
    ['   ', 'incomplete'],
    ['[]', 'bad-json'],
    ['"file"', 'bad-json'],
    ['{file:"QUJD"}', 'bad-json'],
    ['{"file"}', 'bad-json'],
    ['{"file":"QUJD"', 'incomplete'],
    ['{"file":"QUJ', 'incomplete'],
    ['{"file":"QUJD\\', 'incomplete'],
    ['{"file":"QUJD\\u00', 'incomplete'],
    ['{"file":"QU\\xD"}', 'bad-json'],
    ['{"a":1,}', 'bad-json'],
    ['{"a":nope}', 'bad-json'],
    ['{"a":[1,2}', 'incomplete'],
    [`{"a":${'['.repeat(20_000)}`, 'bad-json'],
    [`{"a":${'1'.repeat(200)}}`, 'bad-json'],
    [`{"${'a'.repeat(10_000)}":"QUJD\\"}`, 'incomplete'],
  ])('of %.20s… is %s', async (body, problem) => {
    expect(await readProblem(jsonParts(inPieces(body, [1_000])))).toBe(problem)
  })

  it('may have a hundred values, and refuses a file after them', async () => {
    const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`f${at}`, 'x']))
    const body = (count: number) => inPieces(JSON.stringify({ ...fields(count), file: 'QUJD' }), [999])
    expect(await readAll(jsonParts(body(99)))).toHaveLength(100)
    expect(await readProblem(jsonParts(body(100)))).toBe('too-many-fields')
  })
})
