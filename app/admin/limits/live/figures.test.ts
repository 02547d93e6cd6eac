import { expect, test } from 'vitest'
import { activityOf, figuresBySet, figureWords, NO_FIGURES } from './figures.ts'

const nothing = {
  passed: 0,
  refused: 0,
  waited: 0,
  shadowRefused: 0,
  degraded: 0,
  decidedLocally: 0,
  decidedByPolicy: 0,
  free: 0,
}
const row = (policy: string, minute: Partial<typeof nothing>) => ({
  ruleSet: 'view',
  policy,
  minute: { ...nothing, ...minute },
})

test('a call that passed counts once in its set, though every rule let it pass', () => {
  const figures = figuresBySet([
    row('view-1s', { passed: 10, refused: 1 }),
    row('view-1m', { passed: 10, refused: 2, decidedLocally: 3 }),
    row('view-1s', { passed: 5, decidedLocally: 2, decidedByPolicy: 1 }),
    row('view-1m', { passed: 5, decidedLocally: 2 }),
  ]).get('view')
  expect(figures?.total).toEqual({ ...NO_FIGURES, passed: 15, refused: 3, fallback: 5 })
  expect(figures?.byPolicy.get('view-1s')).toEqual({ ...NO_FIGURES, passed: 15, refused: 1, fallback: 3 })
})

test('tells what happened, and what passed even when nothing did', () => {
  expect(figureWords(NO_FIGURES)).toEqual(['0 passed'])
  expect(
    figureWords({ passed: 1204, refused: 3, waited: 2, shadowRefused: 1, degraded: 4, fallback: 1000, free: 7 }).join(
      ' · ',
    ),
  ).toBe(
    '1,204 passed · 3 refused · 2 waited · 1 would be refused · 4 got less · 1,000 decided without the store · 7 of superadmins',
  )
})

test('whatever was asked is activity', () => {
  expect(
    activityOf({ ...NO_FIGURES, passed: 1, refused: 2, shadowRefused: 4, degraded: 8, waited: 16, free: 32 }),
  ).toBe(47)
})
