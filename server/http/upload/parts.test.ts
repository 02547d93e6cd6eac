import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeSource } from './base64.ts'
import { jsonParts } from './json-parts.ts'
import { multipartParts } from './multipart-parts.ts'
import type { Part } from './part.ts'
import { urlencodedParts } from './urlencoded-parts.ts'

/** A body that comes in pieces of so many bytes, again and again. */
async function* inPieces(body: Buffer | string, sizes: readonly number[]): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(body)
  for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? bytes.length
    yield bytes.subarray(at, at + size)
    at += size
  }
}

interface Read {
  readonly name?: string
  readonly value?: string
  readonly filename?: string
  readonly bytes?: string
}

const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('latin1')

/** All parts in order, files with their bytes. */
async function readAll(parts: AsyncIterable<Part>): Promise<Read[]> {
  const all: Read[] = []
  for await (const part of parts) {
    if (part.kind === 'field') all.push({ name: part.name, value: part.value })
    else {
      const chunks: Uint8Array[] = []
      for (let item = await part.bytes.next(); !item.done; item = await part.bytes.next()) chunks.push(item.value)
      all.push({ filename: part.filename, bytes: text(Buffer.concat(chunks)) })
    }
  }
  return all
}

const problemOf = (parts: AsyncIterable<Part>) =>
  readAll(parts).then(
    (read) => read,
    (error: { problem?: string }) => error.problem,
  )

const sizes = fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 5 })
const file = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes))
/** Neither a file's field nor its name. */
const fieldName = fc.string({ maxLength: 12, unit: 'binary' }).filter((name) => !/file|image|source|name/i.test(name))

describe('a form of JSON', () => {
  const json = fc.jsonValue({ maxDepth: 3, noUnicodeString: false })

  it('gives its texts and its file, whatever stands around them and however it is cut', () =>
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

  it('names the file that comes behind', async () => {
    const body = '{"filename":"K\\u00e4se.png","n":-1.5e3,"ok":true,"none":null,"image":"QUJD"}'
    expect(await readAll(jsonParts(inPieces(body, [7])))).toEqual([
      { name: 'filename', value: 'Käse.png' },
      { name: 'n', value: '-1.5e3' },
      { name: 'ok', value: 'true' },
      { name: 'none', value: 'null' },
      { filename: 'Käse.png', bytes: 'ABC' },
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
    expect(await problemOf(jsonParts(inPieces(body, [1_000])))).toBe(problem)
  })

  it('ends after a hundred values', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`f${at}`, 'x'])))
    expect(await readAll(jsonParts(inPieces(body, [999])))).toHaveLength(100)
  })
})

describe('a form with escapes for URLs', () => {
  it('gives its fields and its file, however it is cut, and with pluses as they are', () =>
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

  it('is passed over where it has no value, no name or no end', async () => {
    expect(await readAll(urlencodedParts(inPieces('a&=b&c=%&d=%zz&&e=1+2', [3])))).toEqual([
      { name: 'a', value: '' },
      { name: '', value: 'b' },
      { name: 'c', value: '%' },
      { name: 'd', value: '%zz' },
      { name: '', value: '' },
      { name: 'e', value: '1 2' },
    ])
  })

  it('is a file where it begins as an image does', async () => {
    const gif = 'GIF89a&source=x=1+%20'
    expect(await readAll(urlencodedParts(inPieces(gif, [2])))).toEqual([{ filename: '', bytes: gif }])
  })
})

describe('a multipart form', () => {
  const part = (head: string, body: Buffer | string) =>
    Buffer.concat([Buffer.from(`--xx\r\n${head}\r\n\r\n`), Buffer.from(body), Buffer.from('\r\n')])
  const read = (body: Buffer, cut: readonly number[]) =>
    multipartParts(inPieces(body, cut), 'multipart/form-data; boundary=xx')

  it('gives its fields and files in order, however it is cut', () =>
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

  it('may hold base64 in a field, or in a file that says so, and goes on behind what is none', async () => {
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

  it('goes on behind a file that could not be read', async () => {
    const garbage = part('Content-Disposition: form-data; name="source"', '?'.repeat(300_000))
    const body = Buffer.concat([garbage, part('Content-Disposition: form-data; name="z"', '1'), Buffer.from('--xx--')])
    const seen: unknown[] = []
    for await (const each of read(body, [10_000])) {
      seen.push(each.kind === 'field' ? each.value : await each.bytes.next().catch((error) => error.problem))
    }
    expect(seen).toEqual(['bad-base64', '1'])
  })

  it('that ends too early tells so of the file in which it does, and of none before', () =>
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
    expect(await problemOf(read(Buffer.from(body), [1_000]))).toBe('incomplete')
  })

  it('with no parts has none, and what stands behind its end is not looked at', async () => {
    expect(await readAll(read(Buffer.from('--xx--\r\n'), [3]))).toEqual([])
    expect(await readAll(read(Buffer.from(`preamble\r\n--xx--${'x'.repeat(100_000)}`), [999]))).toEqual([])
  })

  it('with a hundred fields more than it may have is bad', async () => {
    const body = Buffer.concat(
      Array.from({ length: 2_000 }, () => part('Content-Disposition: form-data; name="a"', 'b')),
    )
    expect(await problemOf(read(body, [4_000]))).toBe('bad-form')
  })

  it.each(['multipart/form-data', 'multipart/form-data; boundary', 'multipart/form-data; charset=utf-8'])(
    'under %s has no boundary',
    async (type) => {
      expect(await problemOf(multipartParts(inPieces('x', [1]), type))).toBe('no-boundary')
    },
  )
})

describe('base64', () => {
  const decoded = async (body: string, cut: readonly number[] = [5]) => {
    const chunks: Uint8Array[] = []
    for await (const chunk of decodeSource(inPieces(Buffer.from(body, 'latin1'), cut))) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

  it('is read in either alphabet, padded or not, in lines, and behind a data URL', () =>
    fc.assert(
      fc.asyncProperty(
        file,
        sizes,
        fc.constantFrom('base64', 'base64url'),
        fc.boolean(),
        async (bytes, cut, alphabet, inLines) => {
          const plain = bytes.toString(alphabet)
          const body = inLines ? plain.replace(/.{20}/g, '$&\r\n') : plain
          expect((await decoded(body, cut)).equals(bytes)).toBe(true)
          expect((await decoded(`data:image/png;base64,${body}`, cut)).equals(bytes)).toBe(true)
        },
      ),
    ))

  it.each(['?', 'QUJD=QUJD', 'A', 'QUJDQ', '====', 'QUJD\0', 'é', `${'Q'.repeat(300)}=${'Q'.repeat(300)}`])(
    'is not %.20s',
    async (body) => {
      await expect(decoded(body)).rejects.toMatchObject({ problem: 'bad-base64' })
    },
  )

  it.each([
    'http://169.254.169.254/latest/meta-data',
    ' HTTPS://example.org/a.png',
    'file:///etc/passwd',
    'gopher://x',
    '//example.org/a.png',
  ])('is no address, such as %s', async (body) => {
    await expect(decoded(body)).rejects.toMatchObject({ problem: 'no-url' })
  })
})
