import { describe, expect, test } from 'vitest'
import { evaluate, isSameAsBefore } from './conditional.ts'

const validators = { etag: '"abc"', lastModified: new Date('2026-11-21T08:49:37Z') }
const SAME = 'Sat, 21 Nov 2026 08:49:37 GMT'
const EARLIER = 'Sat, 21 Nov 2026 08:49:36 GMT'
const LATER = 'Sat, 21 Nov 2026 08:49:38 GMT'

describe('preconditions', () => {
  test.each([
    [{}, 'send'],
    [{ 'if-none-match': '"abc"' }, 'not-modified'],
    [{ 'if-none-match': 'W/"abc"' }, 'not-modified'],
    [{ 'if-none-match': '"x", W/"y" , "abc"' }, 'not-modified'],
    [{ 'if-none-match': '"x,"abc"' }, 'send'],
    [{ 'if-none-match': ' * ' }, 'not-modified'],
    [{ 'if-none-match': '"abcd"' }, 'send'],
    [{ 'if-none-match': 'abc' }, 'send'],
    [{ 'if-none-match': '' }, 'send'],
    [{ 'if-none-match': '"W/abc"' }, 'send'],
    [{ 'if-none-match': '"abcW/"' }, 'send'],
    [{ 'if-none-match': 'W/"x", W/"abc"' }, 'not-modified'],
    [{ 'if-modified-since': SAME }, 'not-modified'],
    [{ 'if-modified-since': LATER }, 'not-modified'],
    [{ 'if-modified-since': EARLIER }, 'send'],
    [{ 'if-modified-since': 'Saturday, 21-Nov-26 08:49:37 GMT' }, 'not-modified'],
    [{ 'if-modified-since': 'Sat Nov 21 08:49:37 2026' }, 'not-modified'],
    [{ 'if-modified-since': 'Sat Nov 21 08:49:36 2026' }, 'send'],
    [{ 'if-modified-since': '2026-11-21T08:49:37Z' }, 'send'],
    [{ 'if-modified-since': 'Sat, 21 Nov 2026 28:49:37 GMT' }, 'send'],
    // An entity tag takes precedence over a date.
    [{ 'if-none-match': '"x"', 'if-modified-since': SAME }, 'send'],
    [{ 'if-none-match': '"abc"', 'if-modified-since': EARLIER }, 'not-modified'],
    [{ 'if-match': '"abc"' }, 'send'],
    [{ 'if-match': '"x", "abc"' }, 'send'],
    [{ 'if-match': '*' }, 'send'],
    [{ 'if-match': 'W/"abc"' }, 'failed'],
    [{ 'if-match': '"x"' }, 'failed'],
    [{ 'if-unmodified-since': SAME }, 'send'],
    [{ 'if-unmodified-since': LATER }, 'send'],
    [{ 'if-unmodified-since': EARLIER }, 'failed'],
    [{ 'if-unmodified-since': 'yesterday' }, 'send'],
    [{ 'if-match': '"abc"', 'if-unmodified-since': EARLIER }, 'send'],
    [{ 'if-match': '"x"', 'if-none-match': '"abc"' }, 'failed'],
    [{ 'if-match': '"abc"', 'if-none-match': '"abc"' }, 'not-modified'],
  ] as const)('%j: %s', (headers, expected) => {
    expect(evaluate(headers, validators)).toBe(expected)
  })
})

test.each([
  [undefined, true],
  ['"abc"', true],
  [SAME, true],
  ['Sat Nov 21 08:49:37 2026', true],
  ['W/"abc"', false],
  ['"x"', false],
  ['"abc", "x"', false],
  ['*', false],
  [EARLIER, false],
  [LATER, false],
  ['abc', false],
])('If-Range %j allows a range: %s', (ifRange, expected) => {
  expect(isSameAsBefore(ifRange === undefined ? {} : { 'if-range': ifRange }, validators)).toBe(expected)
})
