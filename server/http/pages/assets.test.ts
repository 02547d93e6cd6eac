import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { chooseCoding, readAssets } from './assets.ts'

const SCRIPT = 'export const name = "sluice";\n'.repeat(1_000)

let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'sluice-assets-'))
  await mkdir(join(dir, '.next/static/chunks/[slug]'), { recursive: true })
  await mkdir(join(dir, 'public'))
  await writeFile(join(dir, '.next/static/chunks/a.js'), SCRIPT)
  await writeFile(join(dir, '.next/static/chunks/[slug]/b.css'), 'a{}')
  await writeFile(join(dir, 'public/icon.png'), 'png')
})
afterAll(() => rm(dir, { recursive: true }))

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP', 'gzip'],
  ['gzip;q=0.5, br;q=0.1', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['br; q=0.000, gzip;q=0', 'identity'],
  ['deflate, zstd', 'identity'],
  ['*', 'identity'],
])('Accept-Encoding %j is answered in %s', (header, coding) => {
  expect(chooseCoding(header)).toBe(coding)
})

test('a file is read and compressed once for each coding, and then kept', async () => {
  const asset = (await readAssets(dir)).get('/_next/static/chunks/a.js')
  const accepting = (header?: string) => asset?.inCodingFor(header)
  const [br, again, gzip, plain] = await Promise.all(['br', 'br, gzip', 'gzip', undefined].map(accepting))
  expect(again).toBe(br)
  expect([br, gzip, plain].map((encoded) => encoded?.headers['Content-Encoding'])).toEqual(['br', 'gzip', undefined])
  expect(brotliDecompressSync(br?.body ?? '').toString()).toBe(SCRIPT)
  expect(gunzipSync(gzip?.body ?? '').toString()).toBe(SCRIPT)
  expect(plain?.body.toString()).toBe(SCRIPT)
  expect(new Set([br, gzip, plain].map((encoded) => encoded?.validators.etag)).size).toBe(3)
  await writeFile(join(dir, '.next/static/chunks/a.js'), 'changed')
  expect((await accepting('br'))?.body).toBe(br?.body)
  expect(br?.headers).toEqual({
    'Content-Type': 'text/javascript; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'Content-Length': String(br?.body.length),
    ETag: br?.validators.etag,
    'Last-Modified': br?.validators.lastModified.toUTCString(),
    Vary: 'Accept-Encoding',
    'Content-Encoding': 'br',
  })
})

test('only listed files are found, by the path that pages name, and an image is not compressed', async () => {
  const assets = await readAssets(dir)
  expect(new Set(assets.keys())).toEqual(
    new Set(['/_next/static/chunks/a.js', '/_next/static/chunks/%5Bslug%5D/b.css', '/icon.png']),
  )
  const icon = await assets.get('/icon.png')?.inCodingFor('br, gzip')
  expect([icon?.body.toString(), icon?.headers]).toEqual([
    'png',
    expect.objectContaining({
      'Content-Type': 'image/png',
      'Cache-Control': 'public, max-age=86400',
      'Content-Length': '3',
    }),
  ])
})
