import { expect, test } from 'vitest'
import { parseTraceparent } from './traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

test('a traceparent has a trace, a span and flags', () => {
  const parsed = { traceId: TRACE, spanId: SPAN, flags: 1 }
  expect(parseTraceparent(`00-${TRACE}-${SPAN}-01`)).toEqual(parsed)
  expect(parseTraceparent(`01-${TRACE}-${SPAN}-01-more`)).toEqual(parsed)
})

test.each([
  undefined,
  '',
  `ff-${TRACE}-${SPAN}-01`,
  `00-${'0'.repeat(32)}-${SPAN}-01`,
  `00-${TRACE}-${'0'.repeat(16)}-01`,
  `00-${TRACE.toUpperCase()}-${SPAN}-01`,
  `00-${TRACE}-${SPAN}`,
  `00-${TRACE}-${SPAN}-01, 00-${TRACE}-${SPAN}-01`,
])('%j is none', (header) => {
  expect(parseTraceparent(header)).toBeNull()
})
