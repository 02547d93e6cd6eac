import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { formatsFor } from '#format/formats.ts'
import { adminSpending } from '#messages/en/admin-spending.ts'
import { formatBilled, formatBudgetAmount } from './amounts.ts'

const t = createTranslator({ locale: 'en', messages: { adminSpending }, namespace: 'adminSpending' })

test('formats amounts in their own unit', () => {
  expect(formatBudgetAmount(formatsFor('en'), { unit: 'reads', amount: 15_000, currency: 'USD' })).toBe('15,000')
  expect(formatBudgetAmount(formatsFor('en'), { unit: 'bytesOut', amount: 3 * 1024 ** 3, currency: 'USD' })).toBe(
    '3 GiB',
  )
  expect(formatBudgetAmount(formatsFor('en'), { unit: 'money', amount: 1_000_000_000, currency: 'CNY' })).toBe('¥1.00')
})

test('formats a billed quantity in the GB of its prices, with the free part', () => {
  const out = { kind: 'bytesOut', per: 1_000_000_000 } as const
  const format = (line: Parameters<typeof formatBilled>[0]) => formatBilled(line, t, formatsFor('en'))
  expect(format({ kind: 'reads', amount: 12_000, free: 0, per: 1_000_000 })).toBe('12,000')
  expect(format({ kind: 'writes', amount: 12_000, free: 2_000, per: 1_000_000 })).toBe('12,000, 2,000\u00a0free')
  expect(format({ ...out, amount: 312_400_000_000, free: 100_000_000_000 })).toBe('312\u00a0GB, 100\u00a0free')
  expect(format({ ...out, amount: 9_300_000_000, free: 9_300_000_000 })).toBe('9.3\u00a0GB, all\u00a0free')
  expect(format({ ...out, amount: 1, free: 0 })).toBe('<\u00a00.001\u00a0GB')
  expect(format({ ...out, amount: 0, free: 0 })).toBe('0\u00a0GB')
  expect(format({ kind: 'stored', amount: 75 * 1024 ** 3, free: 0, per: 30 * 1024 ** 3 })).toBe('2.5')
})
