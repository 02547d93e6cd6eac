import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { adminLimits } from '#messages/en/admin-limits.ts'
import { historyAction } from './history-line.tsx'

const t = createTranslator({ locale: 'en', messages: { adminLimits }, namespace: 'adminLimits' })
const before = { mode: 'shadow' } as const

test.each([
  [{ action: 'limits.override', before: null }, 'root overrode view for everyone'],
  [{ action: 'limits.override', before }, 'root changed the override of view for everyone'],
  [{ action: 'limits.clear', before }, 'root cleared the override of view for everyone'],
  [{ action: 'limits.override', before: null, target: { kind: 'trial' } }, 'root began to try other rules of view'],
  [{ action: 'limits.clear', before, target: { kind: 'trial' } }, 'root ended the trial of other rules of view'],
  [{ action: 'limits.reset', before: null }, 'root reset the usage of everyone in view'],
  [{ action: 'limits.setRuleSet', before: null }, 'root added the rule set view to image.list'],
  [{ action: 'limits.removeRuleSet', before: null }, 'root removed the rule set view from image.list'],
] as const)('%j: %s', (item, expected) => {
  const values = {
    actor: (name: string) => name,
    name: 'root',
    ruleSet: 'view',
    target: t('target.all'),
    procedure: 'image.list',
  }
  const action = historyAction({ setBefore: null, target: { kind: 'all' }, ...item })
  expect(t.markup(`action.${action}`, values)).toBe(expected)
})
