import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { file, inPieces, readAll, readProblem, sizes, text } from '#testing/http/form-parts.ts'
import { multipartParts } from './multipart-parts.ts'

describe('a multipart form', () => {
  const part = (head: string, body: Buffer | string) =>
    Buffer.concat([Buffer.from(`--xx\r\n${head}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')])
  const read = (body: Buffer, cut: readonly number[]) =>
    multipartParts(inPieces(body, cut), { contentType: 'multipart/form-data; boundary=xx' })

  it('yields its fields and files in order, however it is chunked', () =>
    fc.assert(
      fc.asyncProperty(fc.array(file, { maxLength: 5 }), sizes, async (files, cut) => {
        const whole = files.filter((bytes) => !bytes.includes('\r\n--xx'))
        const body = Buffer.concat([
          part('Content-Disposition: form-data; name="a"', 'b'),
          ...whole.map((bytes, at) => part(`Content-Disposition: form-data; name="file"; filename="${at}.png"`, bytes)),
          part('Content-Disposition: form-data; name="z"', ''),
          Buffer.from('--xx--\r\n'),
        ])
        expect(await readAll(read(body, cut))).toEqual([
          { name: 'a', value: 'b' },
          ...whole.map((bytes, at) => ({ filename: `${at}.png`, bytes: text(bytes) })),
          { name: 'z', value: '' },
        ])
      }),
      { numRuns: 100 },
    ))

  it('may contain base64 in a field or in a file with that encoding, and continues after invalid base64', async () => {
    const body = Buffer.concat([
      part('Content-Disposition: form-data; name="source"', 'data:image/png;base64,QUJD'),
      part(
        'Content-Disposition: form-data; name="f"; filename="a.png"\r\nContent-Transfer-Encoding: base64',
        'QU\r\nJE',
      ),
      Buffer.from('--xx--\r\n'),
    ])
    expect(await readAll(read(body, [50]))).toEqual([
      { filename: '', bytes: 'ABC' },
      { filename: 'a.png', bytes: 'ABD' },
    ])
  })

  it('continues after a file that could not be read', async () => {
    const garbage = part('Content-Disposition: form-data; name="source"', '?'.repeat(300_000))
    const body = Buffer.concat([garbage, part('Content-Disposition: form-data; name="z"', '1'), Buffer.from('--xx--')])
    const seen: unknown[] = []
    for await (const each of read(body, [10_000])) {
      seen.push(each.kind === 'field' ? each.value : await each.bytes.next().catch((error) => error.problem))
    }
    expect(seen).toEqual(['bad-base64', '1'])
  })

  it('that ends too early fails the file in which it ends, and none before it', () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 260 }), sizes, async (kept, cut) => {
        const first = part('Content-Disposition: form-data; name="f"; filename="1"', 'x'.repeat(40))
        const body = Buffer.concat([
          first,
          part('Content-Disposition: form-data; name="f"; filename="2"', 'y'.repeat(400)),
        ])
        const told: string[] = []
        try {
          for await (const each of read(body.subarray(0, kept), cut)) {
            if (each.kind === 'file') {
              const bytes: Uint8Array[] = []
              try {
                for (let item = await each.bytes.next(); !item.done; item = await each.bytes.next())
                  bytes.push(item.value)
                told.push(`${each.filename}: ${Buffer.concat(bytes).length}`)
              } catch (error) {
                told.push(`${each.filename}: ${Object(error).problem}`)
              }
            }
          }
          told.push('no end')
        } catch (error) {
          told.push(Object(error).problem)
        }
        expect(told.at(-1)).toBe('incomplete')
        if (kept > first.length + 80) expect(told[0]).toBe('1: 40')
        expect(told).not.toContain('2: 400')
        for (const each of told.slice(1, -1)) expect(each).toBe('2: incomplete')
      }),
      { numRuns: 200 },
    ))

  it.each([
    ['nothing', ''],
    ['no boundary of its own', 'hello'],
    ['a boundary and no more', '--xx'],
    ['a head without end', '--xx\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n'],
    ['a head of 64 kB', `--xx\r\nContent-Disposition: form-data; name="file"\r\nX: ${'x'.repeat(65_536)}`],
  ])('of %s is incomplete', async (_, body) => {
    expect(await readProblem(read(Buffer.from(body), [1_000]))).toBe('incomplete')
  })

  it('without parts yields none, and ignores what follows its end', async () => {
    expect(await readAll(read(Buffer.from('--xx--\r\n'), [3]))).toEqual([])
    expect(await readAll(read(Buffer.from(`preamble\r\n--xx--${'x'.repeat(100_000)}`), [999]))).toEqual([])
  })

  it('is refused with more than a hundred parts', async () => {
    const body = Buffer.concat(
      Array.from({ length: 2_000 }, () => part('Content-Disposition: form-data; name="a"', 'b')),
    )
    expect(await readProblem(read(body, [4_000]))).toBe('too-many-fields')
  })

  it.each(['multipart/form-data', 'multipart/form-data; boundary', 'multipart/form-data; charset=utf-8'])(
    'under %s has no boundary',
    async (type) => {
      expect(await readProblem(multipartParts(inPieces('x', [1]), { contentType: type }))).toBe('no-boundary')
    },
  )
})
