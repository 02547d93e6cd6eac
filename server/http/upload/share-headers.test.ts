import { expect, test } from 'vitest'
import { readShareHeaders } from './share-headers.ts'

const NOW = Date.UTC(2026, 0, 1)
const DAY = 86_400_000
const read = (headers: Record<string, string>) => readShareHeaders(headers, NOW)
const after = (ms: number) => ({ expiresAt: new Date(NOW + ms).toISOString() })

test.each([
  ['7d', after(7 * DAY)],
  ['1.5 hours', after(5_400_000)],
  ['1 Day', after(DAY)],
  ['30m', after(1_800_000)],
  ['2w', after(14 * DAY)],
  ['1y', after(365.25 * DAY)],
  ['60000', after(60_000)],
  ['date=2026-02-01T00:00:00Z', after(31 * DAY)],
  ['Date=2026-02-01t00:00:00z', after(31 * DAY)],
  ['never', null],
  ['', null],
])('x-zipline-deletes-at: %s', (text, wish) => {
  expect(read({ 'x-zipline-deletes-at': text })).toEqual(wish)
})

test.each([
  ['x-zipline-deletes-at', 'soon'],
  ['x-zipline-deletes-at', '0'],
  ['x-zipline-deletes-at', '-1d'],
  ['x-zipline-deletes-at', '7 lightyears'],
  ['x-zipline-deletes-at', 'date=2025-12-31T00:00:00Z'],
  ['x-zipline-deletes-at', 'date='],
  ['x-zipline-deletes-at', '999999999999y'],
  ['x-zipline-max-views', 'many'],
  ['x-zipline-max-views', '-1'],
  ['x-zipline-max-views', '1.5'],
  ['x-zipline-max-views', '1000001'],
  ['x-zipline-password', 'x'.repeat(1_001)],
])('%s: %.40s is refused', (name, value) => {
  expect(() => read({ [name]: value })).toThrow(`The header ${name} is not valid.`)
})

test('a password is what was sent, in UTF-8 or Latin-1', () => {
  const sent = (bytes: Buffer) => read({ 'x-zipline-password': bytes.toString('latin1') })?.password
  expect(sent(Buffer.from('Öffne 芝麻'))).toBe('Öffne 芝麻')
  expect(sent(Buffer.from('Öffne', 'latin1'))).toBe('Öffne')
  expect(sent(Buffer.from('100%25'))).toBe('100%25')
})

test('views, and nothing without a header or for any number of views', () => {
  expect(read({ 'x-zipline-max-views': '3' })).toEqual({ maxViews: 3 })
  expect([read({}), read({ 'x-zipline-max-views': '0', 'x-zipline-password': '' })]).toEqual([null, null])
})
