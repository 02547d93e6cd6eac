import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { budgets } from '#messages/en/budgets.ts'
import { nameBudget, refusedWhileSpent } from './budget-name.ts'

const t = createTranslator({ locale: 'en', messages: { budgets }, namespace: 'budgets' })

test('names a budget by its unit and period', () => {
  expect(nameBudget({ unit: 'reads', period: 'day' }, t)).toBe('Reads per day')
  expect(nameBudget({ unit: 'bytes', period: 'month' }, t)).toBe('Data in and out per month')
  expect(nameBudget({ unit: 'stored', period: 'standing' }, t)).toBe('Stored data')
})

test('a spent budget refuses only what it counts', () => {
  expect(refusedWhileSpent(['reads'])).toBe('reads')
  expect(refusedWhileSpent(['stored', 'writes'])).toBe('uploads')
  expect(refusedWhileSpent(['bytesOut', 'writes'])).toBe('both')
  expect(refusedWhileSpent(['money'])).toBe('both')
  expect(t('spent', { budgets: 'Reads per day', refused: refusedWhileSpent(['reads']) })).toBe(
    'Budget spent: Reads per day. Refused: images that are not cached.',
  )
  expect(t('spent', { budgets: 'Cost per month', refused: refusedWhileSpent(['money']) })).toBe(
    'Budget spent: Cost per month. Refused: uploads and images that are not cached.',
  )
})
