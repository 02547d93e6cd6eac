import { expect, test } from 'vitest'
import { amountWords, budgetWords, formatAmount, gigabyteWords, lastMonths, refusedWords, storeWord } from './words.ts'

test('which GB is meant is said in bytes', () => {
  expect(gigabyteWords(1_000_000_000)).toBe('A GB is 1,000,000,000 bytes here.')
})

test('amounts are read in their own unit', () => {
  expect(formatAmount('reads', 15_000, 'USD')).toBe('15,000')
  expect(formatAmount('bytesOut', 3 * 1024 ** 3, 'USD')).toBe('3 GiB')
  expect(formatAmount('money', 1_000_000_000, 'CNY')).toBe('¥1.00')
})

test('what a line of a bill is for is in the GB of its prices, and says what is free', () => {
  const out = { kind: 'bytesOut', per: 1_000_000_000 } as const
  expect(amountWords({ kind: 'reads', amount: 12_000, free: 0, per: 1_000_000 })).toBe('12,000')
  expect(amountWords({ kind: 'writes', amount: 12_000, free: 2_000, per: 1_000_000 })).toBe('12,000, 2,000\u00a0free')
  expect(amountWords({ ...out, amount: 312_400_000_000, free: 100_000_000_000 })).toBe('312\u00a0GB, 100\u00a0free')
  expect(amountWords({ ...out, amount: 9_300_000_000, free: 9_300_000_000 })).toBe('9.3\u00a0GB, all\u00a0free')
  expect(amountWords({ ...out, amount: 1, free: 0 })).toBe('under 0.001\u00a0GB')
  expect(amountWords({ ...out, amount: 0, free: 0 })).toBe('0\u00a0GB')
  expect(amountWords({ kind: 'stored', amount: 75 * 1024 ** 3, free: 0, per: 30 * 1024 ** 3 })).toBe('2.5')
})

test('budgets are named by what they are of', () => {
  expect(budgetWords({ unit: 'reads', period: 'day' })).toBe('Reads a day')
  expect(budgetWords({ unit: 'stored', period: 'standing' })).toBe('Bytes stored')
})

test('a spent budget stops what it counts, and nothing else', () => {
  expect(refusedWords(['reads'])).toBe('images that are not cached')
  expect(refusedWords(['stored', 'writes'])).toBe('uploads')
  expect(refusedWords(['bytesOut', 'writes'])).toBe('uploads and images that are not cached')
  expect(refusedWords(['money'])).toBe('uploads and images that are not cached')
})

test('months go back over the year', () => {
  expect(lastMonths('2026-02', 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11'])
})

test('speaks of what is configured', () => {
  expect([storeWord({ provider: 'disk' }), storeWord({ provider: 'r2' })]).toEqual(['disk', 'bucket'])
})
