import { expect, test } from 'vitest'
import { preferredWaitMs } from './prefer.ts'

test.each([
  ['wait=10', 10_000],
  ['wait=0', 0],
  ['respond-async, WAIT = 100; foo="bar"', 100_000],
  ['wait="7"', 7_000],
  ['wait=3, wait=9', 3_000],
  ['note="wait=1, wait=2", wait=5', 5_000],
])('reads %s', (header, ms) => {
  expect(preferredWaitMs(header)).toBe(ms)
})

test.each([
  undefined,
  '',
  'respond-async',
  'wait',
  'wait=',
  'wait=-1',
  'wait=1.5',
  'wait=1s',
  'await=3',
  'wait=9999999999',
  `wait=1${'0'.repeat(30)}`,
  'wait=1e309',
  'wait=NaN',
  'wait=Infinity',
  'wait="-1"',
  'wait="1',
  `${',wait=1'.repeat(50)}`,
  'note="wait=1"',
  `wait=1, note="${'\\"'.repeat(100)}"`,
])('ignores %s', (header) => {
  expect(preferredWaitMs(header)).toBeUndefined()
})
