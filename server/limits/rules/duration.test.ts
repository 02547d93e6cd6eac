import { expect, test } from 'vitest'
import { durationWords, shortDuration, toMilliseconds } from './duration.ts'

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
  [1_500, '1500ms', '1500 milliseconds'],
  [60_000, '1m', 'minute'],
  [90_000, '90s', '90 seconds'],
  [900_000, '15m', '15 minutes'],
  [3_600_000, '1h', 'hour'],
  [86_400_000, '1d', 'day'],
])('%d ms are %s, in words %s', (ms, short, words) => {
  expect(shortDuration(ms)).toBe(short)
  expect(durationWords(ms)).toBe(words)
})
