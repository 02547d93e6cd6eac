import { expect, test } from 'vitest'
import { actionWords, type Change, changeWords } from './history-words.ts'

const change: Change = {
  action: 'limits.override',
  ruleSet: 'view',
  target: { kind: 'all' },
  subjectName: null,
  before: null,
  after: { rules: [{ limit: 3, window: '1m' }] },
}

test('tells who did what to whom, before and after', () => {
  expect([actionWords(change), changeWords(change)]).toEqual([
    'overrode view for everybody',
    { before: 'as declared', after: '3 per minute' },
  ])
  const changed: Change = { ...change, before: { mode: 'shadow' } }
  expect([actionWords(changed), changeWords(changed)?.before]).toEqual([
    'changed the override of view for everybody',
    'counts only, refuses nothing (shadow)',
  ])
  const cleared: Change = { ...change, action: 'limits.clear', before: change.after, after: null }
  expect([actionWords(cleared), changeWords(cleared)]).toEqual([
    'cleared the override of view for everybody',
    { before: '3 per minute', after: 'as declared' },
  ])
})

test('what was forgotten has no before and after', () => {
  const target = { kind: 'subject', subject: 'id' } as const
  const reset: Change = { ...change, action: 'limits.reset', target, subjectName: 'ada', after: null }
  expect([actionWords(reset), changeWords(reset)]).toEqual(['forgot what ada had used of view', null])
})
