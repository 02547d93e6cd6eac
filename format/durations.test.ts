import { expect, test } from 'vitest'
import { formatDuration, formatWait, formatWindow, parseDuration, spellDuration, toMilliseconds } from './durations.ts'

test.each([
  ['500ms', 500],
  ['1s', 1_000],
  ['0.3s', 300],
  ['1.1h', 3_960_000],
  ['15m', 900_000],
  ['24h', 86_400_000],
  ['7d', 604_800_000],
  [250, 250],
  ['0.0001s', 0.1],
  ['', Number.NaN],
  ['1', Number.NaN],
  ['-1s', Number.NaN],
  ['1e3s', Number.NaN],
  [' 1s', Number.NaN],
  ['1 s', Number.NaN],
  ['1w', Number.NaN],
])('%j is %d ms', (text, ms) => {
  expect(toMilliseconds(text)).toBe(ms)
})

test.each([
  [1, '1ms', 'millisecond'],
  [500, '500ms', '500 milliseconds'],
  [1_000, '1s', 'second'],
  [1_500, '1500ms', '1,500 milliseconds'],
  [60_000, '1m', 'minute'],
  [90_000, '90s', '90 seconds'],
  [900_000, '15m', '15 minutes'],
  [3_600_000, '1h', 'hour'],
  [86_400_000, '1d', 'day'],
])('%d ms are %s, in words %s', (ms, short, words) => {
  expect(spellDuration(ms)).toBe(short)
  expect(formatWindow(ms, 'en')).toBe(words)
})

test.each([
  ['1m', '1m', '1 minute'],
  ['60s', '1m', '1 minute'],
  [' 90 s ', '90s', '90 seconds'],
  ['1.5h', '90m', '90 minutes'],
  ['0.3s', '300ms', '300 milliseconds'],
  ['31d', '31d', '31 days'],
])('%j as typed is %s, in words %s', (typed, spelled, words) => {
  const duration = parseDuration(typed)
  expect(duration && [spellDuration(duration), formatDuration(duration, 'en')]).toEqual([spelled, words])
})

test.each(['', 'soon', '1', '1.5', '60000', '0', '0s', '-1s', '1 minute', '1e3s'])(
  '%j is no length of time',
  (typed) => {
    expect(parseDuration(typed)).toBeNull()
  },
)

test.each([
  [0, '0 s'],
  [1, '1 s'],
  [47_000, '47 s'],
  [59_001, '1 min'],
  [60_000, '1 min'],
  [120_001, '2 min 1 s'],
  [125_000, '2 min 5 s'],
  [3_599_001, '1 h'],
  [3_600_000, '1 h'],
  [3_600_001, '1 h 1 min'],
  [3_780_000, '1 h 3 min'],
  [86_399_000, '1 day'],
  [86_400_000, '1 day'],
  [86_400_001, '1 day 1 h'],
  [2 * 86_400_000 - 1, '2 days'],
  [2_599_200_000, '30 days 2 h'],
])('a wait of %d ms is %s', (ms, words) => {
  expect(formatWait(ms, 'en')).toBe(words)
})
