import { expect, test } from 'vitest'
import { isNotModified, rangeOf } from './conditional.ts'

const etag = '"abc"'

test.each([
  [undefined, false],
  ['"abc"', true],
  ['W/"abc"', true],
  ['"x", "abc"', true],
  ['*', true],
  ['"abcd"', false],
  ['abc', false],
])('If-None-Match %j: not modified is %s', (given, expected) => {
  expect(isNotModified(given === undefined ? {} : { 'if-none-match': given }, etag)).toBe(expected)
})

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-', { start: 2, end: 9 }],
  ['bytes=2-99', { start: 2, end: 9 }],
  ['bytes=-3', { start: 7, end: 9 }],
  ['bytes=-99', { start: 0, end: 9 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=10-12', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=5-2', null],
  ['bytes=-', null],
  ['bytes=0-1,4-5', null],
  ['items=0-1', null],
  ['bytes=a-b', null],
  [`bytes=${'9'.repeat(400)}-`, null],
])('Range %j of ten bytes is %j', (range, expected) => {
  expect(rangeOf({ range }, etag, 10)).toEqual(expected)
})

test('an If-Range that names another entity asks for the whole', () => {
  expect(rangeOf({ range: 'bytes=0-1', 'if-range': '"abc"' }, etag, 10)).toEqual({ start: 0, end: 1 })
  expect(rangeOf({ range: 'bytes=0-1', 'if-range': '"old"' }, etag, 10)).toBeNull()
})
