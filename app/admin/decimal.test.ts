import { expect, test } from 'vitest'
import { decimalProblem, parseDecimal, spellDecimal } from './decimal.ts'

test.each([
  ['0.4', 0.4],
  [' 1500 ', 1500],
  ['12.', 12],
  ['.023', 0.023],
  ['0', 0],
  ['0.000000001', 1e-9],
])('%s is a number', (text, value) => {
  expect(parseDecimal(text)).toBe(value)
})

// Read as English, 0,4 would be 4, and ten times the price.
test.each(['0,4', '1,500', '1.234,56', '1e3', '-3', 'abc 12', '12 USD', '0.0000000004', '٤', '.', ''])(
  '“%s” is not a number',
  (text) => {
    expect(parseDecimal(text)).toBeNaN()
  },
)

test('reports text that is not a number, and a number that is too large', () => {
  expect(decimalProblem('', 10)).toBeNull()
  expect(decimalProblem('10', 10)).toBeNull()
  expect(decimalProblem('0,4', 10)).toBe('numberInvalid')
  expect(decimalProblem('9007200', 9_007_199)).toBe('numberTooLarge')
})

test('formats a number as it would be typed', () => {
  expect([Number.NaN, 0, 1e-9, 1_234_567.5].map(spellDecimal)).toEqual(['', '0', '0.000000001', '1234567.5'])
  expect(parseDecimal(spellDecimal(9_007_199.254740991))).toBe(9_007_199.254740991)
})
