import { expect, test } from 'vitest'
import { amountWords, durationWords, parseAmount, parseDuration, spellDuration } from './spelling.ts'

test.each([
  ['1m', '1m', 'minute'],
  ['60s', '1m', 'minute'],
  [' 90 s ', '90s', '90 seconds'],
  ['1.5h', '90m', '90 minutes'],
  ['0.3s', '300ms', '300 milliseconds'],
  ['31d', '31d', '31 days'],
  ['60000', '1m', 'minute'],
])('%j is %s, in words %s', (typed, spelled, words) => {
  const duration = parseDuration(typed)
  expect(duration && [spellDuration(duration), durationWords(duration)]).toEqual([spelled, words])
})

test.each(['', 'soon', '1.5', '0', '0s', '-1s', '1 minute', '1e3s'])('%j is no length of time', (typed) => {
  expect(parseDuration(typed)).toBeNull()
})

test('milliseconds are spelled too', () => {
  expect([3_600_000, 90_000, 1].map(spellDuration)).toEqual(['1h', '90s', '1ms'])
})

test.each([
  ['100', 'calls', 100],
  ['15,000', 'calls', 15_000],
  ['20 gb', 'bytes', '20GB'],
  ['1.5MB', 'bytes', '1.5MB'],
  ['4096', 'bytes', 4096],
  ['20GB', 'calls', null],
  ['1.5', 'calls', null],
  ['0', 'calls', null],
  ['-3', 'calls', null],
  ['', 'calls', null],
  ['many', 'bytes', null],
  // Not 15, nor 150 GB: somebody's comma begins the decimals.
  ['1,5', 'calls', null],
  ['1,5 GB', 'bytes', null],
  ['1,500 GB', 'bytes', null],
  ['0,500', 'calls', null],
  ['1,2345', 'calls', null],
  ['1,234,567', 'calls', 1_234_567],
] as const)('%j of %s is %s', (typed, unit, amount) => {
  expect(parseAmount(typed, unit)).toBe(amount)
})

test('amounts read well', () => {
  expect([amountWords(15_000), amountWords('20GB')]).toEqual(['15,000', '20GB'])
})
