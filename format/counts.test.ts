import { expect, test } from 'vitest'
import { formatCount, formatList, formatShare } from './counts.ts'

test('groups the digits of large numbers', () => {
  expect([999, 15_000, 1_234_567].map((amount) => formatCount(amount, 'en'))).toEqual(['999', '15,000', '1,234,567'])
})

test('a share is never said to be all before it is', () => {
  expect([0, 0.0004, 0.004, 0.0099, 0.835, 0.9999, 1].map((each) => formatShare(each, 'en'))).toEqual([
    '0 %',
    'under 0.1 %',
    '0.4 %',
    '0.9 %',
    '83 %',
    '99 %',
    '100 %',
  ])
})

test('joins a list', () => {
  expect([['a'], ['a', 'b'], ['a', 'b', 'c']].map((items) => formatList(items, 'en'))).toEqual([
    'a',
    'a and b',
    'a, b and c',
  ])
})
