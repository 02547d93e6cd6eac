import { expect, test } from 'vitest'
import { listRows } from './list-rows.ts'

const rows = (top: number, options: Partial<Parameters<typeof listRows>[0]> = {}) => {
  const listed = listRows({ view: { top, bottom: top + 800 }, height: 80, amount: 10_000, focused: null, ...options })
  return [listed[0], listed.at(-1), listed.length]
}

test('are those in the window, and three quarters of a screen above and below', () => {
  expect(rows(0)).toEqual([0, 17, 18])
  expect(rows(80_000)).toEqual([992, 1017, 26])
  expect(rows(799_200)).toEqual([9982, 9999, 18])
  expect(rows(0, { amount: 3 })).toEqual([0, 2, 3])
  expect(rows(0, { amount: 0 })).toEqual([undefined, undefined, 0])
})

test('include the one with the focus, until it is gone', () => {
  expect(rows(80_000, { focused: 5 })).toEqual([5, 1017, 27])
  expect(rows(0, { focused: 400 })).toEqual([0, 400, 19])
  expect(rows(0, { focused: 7 })).toEqual([0, 17, 18])
  expect(rows(0, { focused: 3, amount: 3 })).toEqual([0, 2, 3])
})
