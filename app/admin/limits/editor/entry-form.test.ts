import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { formatsFor } from '#format/formats.ts'
import { adminOverrides } from '#messages/en/admin-overrides.ts'
import type { Warning } from '../changes/slot.ts'
import { overrideWarningText } from './entry-form.tsx'

const t = createTranslator({ locale: 'en', messages: { adminOverrides }, namespace: 'adminOverrides' })

const rule = { policy: 'all-1h', parts: { limit: 1_000, window: '1h' } } as const
const other = { policy: 'own-1m', parts: { limit: 5, window: '1m' } } as const

test.each<[Warning, string]>([
  [
    { kind: 'idle', rule, other },
    'all-1h (1,000 per hour) never refuses, because own-1m (5 per minute) always does so first.',
  ],
  [
    { kind: 'lever', rule, other: { rule: other, most: 300, unit: 'calls' } },
    'One subject can use more than a tenth of all-1h (1,000 per hour): own-1m (5 per minute) lets it take 300.',
  ],
  [
    { kind: 'lever', rule, other: null },
    'One subject can use more than a tenth of all-1h (1,000 per hour): no rule that enforces holds it to less.',
  ],
])('%j', (warning, text) => {
  expect(overrideWarningText(t, formatsFor('en'), warning)).toBe(text)
})
