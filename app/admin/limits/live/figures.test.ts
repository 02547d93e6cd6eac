import { createTranslator } from 'use-intl/core'
import { expect, test } from 'vitest'
import { adminLimits } from '#messages/en/admin-limits.ts'
import { chooseCeiling, countDecisions, figuresBySet, figureTexts, NO_FIGURES, sumTraffic } from './figures.ts'

const t = createTranslator({ locale: 'en', messages: { adminLimits }, namespace: 'adminLimits' })
const nothing = {
  passed: 0,
  refused: 0,
  waited: 0,
  shadowRefused: 0,
  degraded: 0,
  decidedLocally: 0,
  decidedByPolicy: 0,
  free: 0,
  waitedMs: 0,
  abandoned: 0,
  penaltyPoints: 0,
  decidedFromCache: 0,
}
const row = (policy: string, minute: Partial<typeof nothing>) => ({
  ruleSet: 'view',
  policy,
  minute: { ...nothing, ...minute },
  total: { shadowRefused: 10 * (minute.shadowRefused ?? 0) },
})

test('counts an allowed call once in its set, though every rule counts it', () => {
  const figures = figuresBySet([
    row('view-1s', { passed: 10, refused: 1 }),
    row('view-1m', { passed: 10, refused: 2, decidedLocally: 3 }),
    row('view-1s', { passed: 5, decidedLocally: 2, decidedByPolicy: 1 }),
    row('view-1m', { passed: 5, decidedLocally: 2 }),
  ]).get('view')
  expect(figures?.total).toEqual({ ...NO_FIGURES, passed: 15, refused: 3, fallback: 5 })
  expect(figures?.byPolicy.get('view-1s')).toEqual({ ...NO_FIGURES, passed: 15, refused: 1, fallback: 3 })
})

test('counts what is refused to a whole network, and what a procedure counts by itself', () => {
  const figures = figuresBySet([
    row('view-1m', { passed: 10 }),
    { ...row('view-network-1m', { passed: 8, refused: 4 }), ruleSet: 'view-network' },
    { ...row('view@image.list-1m', { passed: 3, refused: 1 }), ruleSet: 'view@image.list' },
  ])
  expect([...figures.keys()]).toEqual(['view'])
  expect(figures.get('view')?.total).toEqual({ ...NO_FIGURES, passed: 13, refused: 5 })
})

test('adds up what shadow mode has let pass', () => {
  const rows = [row('view-1s', { shadowRefused: 2 }), row('view-1m', { shadowRefused: 3 })]
  expect(figuresBySet(rows).get('view')).toMatchObject({ total: { shadowRefused: 5 }, shadowedInAll: 50 })
})

test('leaves out zeros, except of allowed calls', () => {
  expect(figureTexts(t, NO_FIGURES)).toEqual(['0 allowed'])
  expect(
    figureTexts(t, { passed: 1204, refused: 3, waited: 2, shadowRefused: 1, degraded: 4, fallback: 1000, free: 7 }),
  ).toEqual([
    ...['1,204 allowed', '3 refused', '2 waited', '1 would be refused', '4 degraded'],
    ...['1,000 decided without the store', '7 exempt'],
  ])
})

test('counts every decided call as activity', () => {
  expect(
    countDecisions({ ...NO_FIGURES, passed: 1, refused: 2, shadowRefused: 4, degraded: 8, waited: 16, free: 32 }),
  ).toBe(47)
})

const series = (start: readonly number[]) => [...start, ...Array<number>(60 - start.length).fill(0)]

test('adds up the procedures second by second', () => {
  const traffic = sumTraffic([
    { perSecond: 1.5, passed: series([1, 2]), refused: series([0, 4]) },
    { perSecond: 2, passed: series([3]), refused: series([]) },
  ])
  expect(traffic).toEqual({
    perSecond: 3.5,
    passed: series([4, 2]),
    refused: series([0, 4]),
    passedInAll: 6,
    refusedInAll: 4,
    peak: 6,
  })
})

test('shows 60 seconds of zeros without calls', () => {
  expect(sumTraffic([])).toMatchObject({ perSecond: 0, passed: series([]), peak: 0 })
})

test.each([
  [0, 5],
  [5, 5],
  [6, 10],
  [10, 10],
  [11, 20],
  [21, 50],
  [51, 100],
  [100, 100],
  [101, 200],
  [3456, 5000],
])('a peak of %i has the ceiling %i', (peak, ceiling) => {
  expect(chooseCeiling(peak)).toBe(ceiling)
})
