import { expect, test } from 'vitest'
import { parseByteRequest } from './byte-request.ts'

const slug = 'AbCdEfGhIjKlMnOpQr-_12'

test.each([
  ['', null, null],
  ['?w=400', 400, null],
  ['?w=1600', 1600, null],
  ['?w=1', 400, null],
  ['?w=600', 400, null],
  ['?w=601', 800, null],
  ['?w=1200', 800, null],
  ['?w=1201', 1600, null],
  ['?w=99999', 1600, null],
  ['?download=x', null, 'x'],
  ['?download=x&w=400', null, 'x'],
  ['?unknown=1', null, null],
])('the query %j requests width %s and download %s', (query, width, download) => {
  expect(parseByteRequest(`/i/${slug}.jpg${query}`)).toEqual({ slug, extension: 'jpg', width, download })
})

test('each format has a URL', () => {
  for (const extension of ['jpg', 'png', 'gif', 'webp', 'avif']) {
    expect(parseByteRequest(`/i/${slug}.${extension}`)?.extension).toBe(extension)
  }
})

test.each([
  '/i/',
  `/i/${slug}`,
  `/i/${slug}.`,
  `/i/${slug}.svg`,
  `/i/${slug}.JPG`,
  `/i/${slug}.jpg/`,
  `/i/${slug}.jpg.php`,
  `/i/${slug}x.jpg`,
  `/i/${slug.slice(1)}.jpg`,
  `/i/${'a'.repeat(10_000)}.jpg`,
  `/i/..%2f..%2fetc%2fpasswd`,
  `/i/%2e%2e/${slug}.jpg`,
  `/i/../i/${slug}.jpg`,
  `/i//${slug}.jpg`,
  `/i/x%2F${slug}.jpg`,
  `/i/x\\${slug}.jpg`,
  `/i/${slug}%2ejpg`,
  `/i/${slug}%252ejpg`,
  `/i/${slug}.jpg%00`,
  `/i/%41${slug.slice(1)}.jpg`,
  `/i/${slug}.jpg;x`,
  `/i/${slug}.jpg?w=`,
  `/i/${slug}.jpg?w=0`,
  `/i/${slug}.jpg?w=-400`,
  `/i/${slug}.jpg?w=4e2`,
  `/i/${slug}.jpg?w=400.5`,
  `/i/${slug}.jpg?w=100000`,
  `/i/${slug}.jpg?x=${'a'.repeat(300)}`,
  `http://elsewhere.example/i/${slug}.jpg`,
])('%s is not an image URL', (url) => {
  expect(parseByteRequest(url)).toBeNull()
})
