import { expect, test } from 'vitest'
import { reordered } from './reordered.ts'

const items = ['a', 'b', 'c', 'd', 'e'].map((id) => ({ id }))
const order = (ids: string, target: string, isBefore: boolean) =>
  reordered(items, new Set(ids), target, isBefore)
    .map(({ id }) => id)
    .join('')

test.each([
  ['e', 'a', true, 'eabcd'],
  ['a', 'e', false, 'bcdea'],
  ['db', 'a', false, 'abdce'],
  ['bd', 'e', true, 'acbde'],
  ['b', 'x', true, 'abcde'],
  ['b', 'b', true, 'abcde'],
  ['', 'b', true, 'abcde'],
])('%s to %s (before: %s) is %s', (ids, target, isBefore, expected) => {
  expect(order(ids, target, isBefore)).toBe(expected)
})
