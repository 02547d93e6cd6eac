import { expect, test } from 'vitest'
import { expired, timesAround } from './schedule.ts'

const at = (text: string) => new Date(`2026-11-${text}Z`)

test.each([
  ['28T02:29:59', '27T14:30', '28T02:30'],
  ['28T02:30:00', '28T02:30', '28T14:30'],
  ['28T23:59:59', '28T14:30', '29T02:30'],
])('of two times a day, %s lies between', (now, last, next) => {
  expect(timesAround(at(now), [150, 870])).toEqual({ last: at(last), next: at(next) })
})

test('without times, none is last or next', () => {
  expect(timesAround(at('28T00:00'), [])).toBeNull()
})

test.each([
  [{ count: 2, days: 0 }, ['3', '2', '1']],
  [{ count: 2, days: 3 }, ['2', '1']],
  [{ count: 9, days: 0 }, []],
  [{ count: 1, days: 365 }, []],
])('of five daily backups, %j keeps the newest and the recent', (keep, gone) => {
  const snapshots = ['1', '5', '3', '2', '4'].map((key) => ({ key, at: at(`0${key}T02:30`) }))
  expect(expired(snapshots, at('05T12:00'), keep).map(({ key }) => key)).toEqual(gone)
})

test('a clock that runs ahead by years leaves the newest', () => {
  const snapshots = ['1', '2'].map((key) => ({ key, at: at(`0${key}T02:30`) }))
  expect(expired(snapshots, new Date('2040-01-01'), { count: 7, days: 30 })).toEqual([])
})
