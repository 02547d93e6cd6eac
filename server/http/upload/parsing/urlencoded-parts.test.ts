import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fieldName, file, inPieces, readAll, readProblem, sizes, text } from '#testing/http/form-parts.ts'
import { urlencodedParts } from './urlencoded-parts.ts'

describe('a URL-encoded form', () => {
  it('yields its fields and its file, however it is chunked, and keeps unescaped pluses', () =>
    fc.assert(
      fc.asyncProperty(
        file,
        fieldName,
        fc.string({ unit: 'grapheme' }),
        sizes,
        fc.boolean(),
        async (bytes, name, value, cut, careless) => {
          const base64 = bytes.toString('base64')
          const fields = new URLSearchParams([[`x${name}`, value]])
          const body = `${fields}&source=${careless ? base64 : encodeURIComponent(base64)}&format=txt`
          expect(await readAll(urlencodedParts(inPieces(body, cut)))).toEqual([
            { name: `x${name.toWellFormed()}`, value: value.toWellFormed() },
            { filename: '', bytes: text(bytes) },
            { name: 'format', value: 'txt' },
          ])
        },
      ),
      { numRuns: 200 },
    ))

  it('skips what has no value, no name or no end', async () => {
    expect(await readAll(urlencodedParts(inPieces('a&=b&c=%&d=%zz&&e=1+2', [3])))).toEqual([
      { name: 'a', value: '' },
      { name: '', value: 'b' },
      { name: 'c', value: '%' },
      { name: 'd', value: '%zz' },
      { name: '', value: '' },
      { name: 'e', value: '1 2' },
    ])
  })

  it('may have a hundred values, and refuses a file after them', async () => {
    const body = (count: number) => inPieces(`${'a=b&'.repeat(count)}file=QUJD`, [99])
    expect(await readAll(urlencodedParts(body(99)))).toHaveLength(100)
    expect(await readProblem(urlencodedParts(body(100)))).toBe('too-many-fields')
  })

  it('is a file if it begins like an image', async () => {
    const gif = 'GIF89a&source=x=1+%20'
    expect(await readAll(urlencodedParts(inPieces(gif, [2])))).toEqual([{ filename: '', bytes: gif }])
  })
})
