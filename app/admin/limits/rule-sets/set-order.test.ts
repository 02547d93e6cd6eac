import { expect, test } from 'vitest'
import { NO_FIGURES } from '../live/figures.ts'
import type { RuleSetItem } from '../types.ts'
import { arrange, type SetView } from './set-order.ts'

const set = (name: string, usedBy: string[] = [], overridden = false): RuleSetItem => ({
  name,
  by: 'user',
  unit: 'calls',
  count: 'all',
  scope: 'cluster',
  declared: { rules: [{ limit: 1, window: '1s' }], mode: 'enforce', wait: null, onStoreFailure: 'local' },
  canDegrade: false,
  rules: [],
  usedBy,
  targets: ['all'],
  trial: null,
  overrides: overridden
    ? [
        {
          target: { kind: 'all' },
          subjectName: null,
          terms: { mode: 'shadow' },
          rules: [],
          problem: null,
          note: null,
          changedAt: '2026-11-20T08:00:00.000Z',
          changedBy: null,
        },
      ]
    : [],
})

const titles: Readonly<Record<string, string>> = { upload: '上传', delete: 'Deleting and restoring' }
const sets = [set('delete', ['image.delete']), set('view', ['image.list', 'image.get']), set('upload', [], true)]
const figures = new Map([
  ['view', { total: { ...NO_FIGURES, passed: 3 }, byPolicy: new Map(), shadowedInAll: 0 }],
  ['upload', { total: { ...NO_FIGURES, refused: 9 }, byPolicy: new Map(), shadowedInAll: 0 }],
])
const whole: SetView = { search: '', titleOf: (name) => titles[name] ?? name, order: 'activity', onlyOverridden: false }
const names = (view: Partial<SetView>) => arrange(sets, figures, { ...whole, ...view }).map(({ name }) => name)

test('the busiest first, or by name', () => {
  expect(names({})).toEqual(['upload', 'view', 'delete'])
  expect(names({ order: 'name' })).toEqual(['delete', 'upload', 'view'])
})

test('idle rule sets that are overridden come first', () => {
  const idle = arrange(sets, new Map(), whole)
  expect(idle.map(({ name }) => name)).toEqual(['upload', 'delete', 'view'])
})

test('matches every word of a search against names and users', () => {
  expect([names({ search: 'VIEW' }), names({ search: 'image.' }), names({ search: 'image delete' })]).toEqual([
    ['view'],
    ['view', 'delete'],
    ['delete'],
  ])
  expect(names({ onlyOverridden: true })).toEqual(['upload'])
})

test('matches what a set limits in the reader’s words', () => {
  expect([names({ search: '上传' }), names({ search: 'restoring' })]).toEqual([['upload'], ['delete']])
})
