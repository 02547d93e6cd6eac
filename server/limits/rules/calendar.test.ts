import { expect, test } from 'vitest'
import { type Calendar, calendarBoundaries } from './calendar.ts'

const HOUR_MS = 3_600_000

function boundaries(align: Calendar['align'], timeZone: string, now: string): readonly string[] {
  return calendarBoundaries({ align, timeZone }, Date.parse(now)).map((instant) => new Date(instant).toISOString())
}

function hours(align: Calendar['align'], timeZone: string, now: string): readonly number[] {
  const instants = calendarBoundaries({ align, timeZone }, Date.parse(now))
  return instants.slice(1).map((instant, i) => (instant - (instants[i] ?? 0)) / HOUR_MS)
}

test('a day is that of the time zone, from its first millisecond to its last', () => {
  const day = ['2026-11-20T11:00:00.000Z', '2026-11-21T11:00:00.000Z', '2026-11-22T11:00:00.000Z']
  expect(boundaries('day', 'Pacific/Auckland', '2026-11-21T11:00:00.000Z')).toEqual([
    ...day,
    '2026-11-23T11:00:00.000Z',
  ])
  expect(boundaries('day', 'Pacific/Auckland', '2026-11-22T10:59:59.999Z')).toEqual([
    ...day,
    '2026-11-23T11:00:00.000Z',
  ])
  expect(boundaries('day', 'UTC', '2026-11-21T11:00:00.000Z')).toEqual([
    '2026-11-20T00:00:00.000Z',
    '2026-11-21T00:00:00.000Z',
    '2026-11-22T00:00:00.000Z',
    '2026-11-23T00:00:00.000Z',
  ])
})

test('a day has 23 or 25 hours when the clocks change, whether it is the current, previous or next one', () => {
  expect(hours('day', 'Europe/Berlin', '2026-03-28T12:00Z')).toEqual([24, 24, 23])
  expect(hours('day', 'Europe/Berlin', '2026-03-29T12:00Z')).toEqual([24, 23, 24])
  expect(hours('day', 'Europe/Berlin', '2026-03-30T12:00Z')).toEqual([23, 24, 24])
  expect(hours('day', 'Europe/Berlin', '2026-10-25T12:00Z')).toEqual([24, 25, 24])
  expect(hours('day', 'Australia/Lord_Howe', '2026-04-05T00:00Z')).toEqual([24, 24.5, 24])
})

test.each([
  ['America/Sao_Paulo', '2018-11-04T12:00Z', '2018-11-04T03:00:00.000Z', '2018-11-05T02:00:00.000Z'],
  ['Africa/Cairo', '2023-04-28T12:00Z', '2023-04-27T22:00:00.000Z', '2023-04-28T21:00:00.000Z'],
  ['Asia/Beirut', '2022-03-27T12:00Z', '2022-03-26T22:00:00.000Z', '2022-03-27T21:00:00.000Z'],
])('in %s a day whose midnight is skipped begins at 01:00', (timeZone, now, begin, end) => {
  expect(boundaries('day', timeZone, now).slice(1, 3)).toEqual([begin, end])
})

test('a repeated hour before midnight belongs to the day that it ends, both times', () => {
  const twice = ['2018-02-18T01:30Z', '2018-02-18T02:30Z'].map((now) => boundaries('day', 'America/Sao_Paulo', now))
  const saturday = ['2018-02-17T02:00:00.000Z', '2018-02-18T03:00:00.000Z']
  expect(twice.map((instants) => instants.slice(1, 3))).toEqual([saturday, saturday])
})

test('a date that a time zone skipped has no length', () => {
  expect(hours('day', 'Pacific/Apia', '2011-12-30T09:00Z')).toEqual([24, 24, 0])
  expect(hours('day', 'Pacific/Apia', '2011-12-30T11:00Z')).toEqual([0, 24, 24])
})

test('a week begins on Monday, also across a year and a change of clocks', () => {
  expect(boundaries('week', 'UTC', '2027-01-03T23:59:59.999Z')).toEqual([
    '2026-12-21T00:00:00.000Z',
    '2026-12-28T00:00:00.000Z',
    '2027-01-04T00:00:00.000Z',
    '2027-01-11T00:00:00.000Z',
  ])
  expect(boundaries('week', 'UTC', '2027-01-04T00:00Z')[1]).toBe('2027-01-04T00:00:00.000Z')
  expect(hours('week', 'Europe/Berlin', '2026-03-29T12:00Z')).toEqual([168, 167, 168])
})

test('a month has its actual length', () => {
  expect(hours('month', 'UTC', '2028-02-29T23:00Z')).toEqual([31 * 24, 29 * 24, 31 * 24])
  expect(hours('month', 'UTC', '2027-01-31T12:00Z')).toEqual([31 * 24, 31 * 24, 28 * 24])
  expect(hours('month', 'Europe/Berlin', '2026-03-31T12:00Z')).toEqual([28 * 24, 31 * 24 - 1, 30 * 24])
})

test('every time zone that a rule can name has a calendar, in which now lies between the second and third', () => {
  const now = Date.parse('2026-11-21T12:00Z')
  const names = [...Intl.supportedValuesOf('timeZone'), 'utc', 'europe/berlin', 'EST5EDT', 'Etc/GMT+5', 'Asia/Calcutta']
  const around = names.map((timeZone) => calendarBoundaries({ align: 'day', timeZone }, now))
  expect(around.filter(([, begin = 0, end = 0]) => begin <= now && now < end)).toHaveLength(names.length)
})

test('boundaries are computed once a period, and again when time leaves it in either direction', () => {
  const calendar: Calendar = { align: 'day', timeZone: 'Europe/Berlin' }
  const at = (now: string) => calendarBoundaries(calendar, Date.parse(now))
  const first = at('2026-11-20T23:00:00.000Z')
  expect(at('2026-11-21T22:59:59.999Z')).toBe(first)
  const next = at('2026-11-21T23:00:00.000Z')
  expect(next.slice(0, 3)).toEqual(first.slice(1))
  expect(at('2026-11-20T23:00:00.000Z')).toEqual(first)
})
