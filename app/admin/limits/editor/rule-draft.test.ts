import { expect, test } from 'vitest'
import { parseAmount } from './rule-draft.ts'

test.each([
  ['100', 'calls', 100],
  ['15,000', 'calls', 15_000],
  ['20 gb', 'bytes', '20GB'],
  ['20 GiB', 'bytes', '20GB'],
  ['1.5MB', 'bytes', '1.5MB'],
  ['4096', 'bytes', 4096],
  ['20GB', 'calls', null],
  ['1.5', 'calls', null],
  ['0', 'calls', null],
  ['-3', 'calls', null],
  ['', 'calls', null],
  ['many', 'bytes', null],
  // Neither 15 nor 150 GB: in many countries the comma is the decimal separator.
  ['1,5', 'calls', null],
  ['1,5 GB', 'bytes', null],
  ['1,500 GB', 'bytes', null],
  ['0,500', 'calls', null],
  ['1,2345', 'calls', null],
  ['1,234,567', 'calls', 1_234_567],
] as const)('%j of %s is %s', (typed, unit, amount) => {
  expect(parseAmount(typed, unit)).toBe(amount)
})
