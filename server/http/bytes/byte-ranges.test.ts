import { expect, test } from 'vitest'
import { requestedRange } from './byte-ranges.ts'

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=2-', { start: 2, end: 999 }],
  ['bytes=2-5000', { start: 2, end: 999 }],
  ['bytes=0-999', { start: 0, end: 999 }],
  ['bytes=999-', { start: 999, end: 999 }],
  ['bytes=-3', { start: 997, end: 999 }],
  ['bytes=-1000', { start: 0, end: 999 }],
  ['bytes=-5000', { start: 0, end: 999 }],
  ['Bytes=0-0', { start: 0, end: 0 }],
  ['bytes= ,0-5 , ', { start: 0, end: 5 }],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=-000', 'unsatisfiable'],
  // Several are answered by the whole, however near, far or many they are.
  ['bytes=0-1,-1', null],
  ['bytes=0-9,10-19', null],
  ['bytes=1000-,0-0', null],
  ['bytes=1000-1002,-0', null],
  [`bytes=${Array.from({ length: 1_000 }, (_, at) => `${at}-${at}`)}`, null],
  [undefined, null],
  ['', null],
  ['bytes=', null],
  ['bytes=,', null],
  ['bytes=-', null],
  ['bytes=5-2', null],
  ['bytes=0-0,5-2', null],
  ['bytes=0-0,x', null],
  ['bytes=0-0;1-1', null],
  ['bytes=0 - 0', null],
  ['bytes=+1-2', null],
  ['bytes=0x1-2', null],
  ['items=0-1', null],
  ['bytes 0-1', null],
  [`bytes=${'9'.repeat(400)}-`, null],
])('Range %j of a thousand bytes', (header, expected) => {
  expect(requestedRange(header, 1000)).toEqual(expected)
})
