import { describe, expect, test } from 'vitest'
import { formatMoney, formatPrice } from './money.ts'

describe('money', () => {
  test.each([
    [0, '$0.00'],
    [12_400_000_000, '$12.40'],
    [3_100_000, '$0.0031'],
    [360, '$0.00000036'],
    [9_999_000_000_000, '$9,999.00'],
  ])('%d nanos are %s', (nanos, text) => {
    expect(formatMoney(nanos, 'USD', 'en')).toBe(text)
  })

  test('of a currency without small coins is no 0 where it is less than the smallest', () => {
    const yen = [0, 12_000_000, 400_000_000, 1_400_000_000].map((nanos) => formatMoney(nanos, 'JPY', 'en'))
    expect(yen).toEqual(['¥0', '¥0.012', '¥0.4', '¥1'])
  })
})

test('prices have the digits that they are published with', () => {
  expect([23_000_000, 4_500_000_000, 400_000_000, 6_950_000].map((nanos) => formatPrice(nanos, 'USD', 'en'))).toEqual([
    ...['$0.023', '$4.50', '$0.40', '$0.00695'],
  ])
})
