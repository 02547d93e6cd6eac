import { expect, test } from 'vitest'
import { findDroppedAddress } from './dropped-address.ts'

const site = 'https://images.example.org'
const holding = (data: Record<string, string>) => ({ getData: (type: string) => data[type] ?? '' })

test.each([
  [{ 'text/uri-list': 'https://example.org/cat.jpg\r\nhttps://example.org/' }, 'https://example.org/cat.jpg'],
  [{ 'text/plain': ' http://example.org/cat.jpg\n' }, 'http://example.org/cat.jpg'],
  [{ 'text/plain': 'see https://example.org/cat.jpg' }, null],
  [{ 'text/plain': 'https://' }, null],
  [{ 'text/plain': 'javascript:alert(1)' }, null],
  [{ 'text/uri-list': `${site}/i/abc.jpg` }, null],
  [{}, null],
])('%j contains the URL %s', (data, expected) => {
  expect(findDroppedAddress(holding(data), site)).toBe(expected)
})
