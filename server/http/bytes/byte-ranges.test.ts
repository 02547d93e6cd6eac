import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rangesOf } from './byte-ranges.ts'

test.each([
  ['bytes=0-0', [{ start: 0, end: 0 }]],
  ['bytes=2-', [{ start: 2, end: 999 }]],
  ['bytes=2-5000', [{ start: 2, end: 999 }]],
  ['bytes=0-999', [{ start: 0, end: 999 }]],
  ['bytes=999-', [{ start: 999, end: 999 }]],
  ['bytes=-3', [{ start: 997, end: 999 }]],
  ['bytes=-1000', [{ start: 0, end: 999 }]],
  ['bytes=-5000', [{ start: 0, end: 999 }]],
  ['Bytes=0-0', [{ start: 0, end: 0 }]],
  ['bytes= 0-0 , ,5-', [{ start: 0, end: 999 }]],
  [
    'bytes=0-1,400-401,-1',
    [
      { start: 0, end: 1 },
      { start: 400, end: 401 },
      { start: 999, end: 999 },
    ],
  ],
  // Overlapping, adjacent and nearly adjacent, in any order.
  ['bytes=400-500,0-450', [{ start: 0, end: 500 }]],
  ['bytes=0-9,10-19', [{ start: 0, end: 19 }]],
  ['bytes=0-9,90-99', [{ start: 0, end: 99 }]],
  [
    'bytes=0-9,91-99',
    [
      { start: 0, end: 9 },
      { start: 91, end: 99 },
    ],
  ],
  ['bytes=0-999,5-6', [{ start: 0, end: 999 }]],
  // Ranges beyond the end are dropped.
  ['bytes=1000-,0-0', [{ start: 0, end: 0 }]],
  ['bytes=1000-', 'unsatisfiable'],
  ['bytes=1000-1002,-0', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=-000', 'unsatisfiable'],
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
  // At most eight parts are sent, and at most sixteen ranges are read.
  [`bytes=${[0, 1, 2, 3, 4, 5, 6, 7].map((at) => `${at * 100}-${at * 100}`)}`, expect.objectContaining({ length: 8 })],
  [`bytes=${[0, 1, 2, 3, 4, 5, 6, 7, 8].map((at) => `${at * 100}-${at * 100}`)}`, null],
  [`bytes=${Array.from({ length: 16 }, () => '0-9')}`, [{ start: 0, end: 9 }]],
  [`bytes=${Array.from({ length: 17 }, () => '0-9')}`, null],
])('Range %j of a thousand bytes', (header, expected) => {
  expect(rangesOf(header, 1000)).toEqual(expected)
})

test('sends the whole if the gaps between parts exceed what is worth reading', () => {
  const gap = 1024 * 1024
  const [one, other] = [0, gap + 1].map((at) => ({ start: at, end: at }))
  expect(rangesOf(`bytes=0-0,${gap + 1}-${gap + 1}`, 10 * gap)).toEqual([one, other])
  expect(rangesOf(`bytes=0-0,${gap + 2}-${gap + 2}`, 10 * gap)).toBeNull()
  expect(rangesOf(`bytes=0-0,1000-1000,${gap + 3}-${gap + 3}`, 10 * gap)).toBeNull()
  expect(rangesOf(`bytes=${gap * 5}-${gap * 5}`, 10 * gap)).toEqual([{ start: gap * 5, end: gap * 5 }])
})

test('returns ascending, separate ranges inside the object that cover every requested byte', () => {
  const number = fc.nat(1_200).map(String)
  const spec = fc.oneof(
    fc.tuple(number, fc.oneof(number, fc.constant(''))).map(([first, last]) => `${first}-${last}`),
    number.map((suffix) => `-${suffix}`),
    fc.constantFrom('', ' 1-1', 'x', '-'),
  )
  const size = 1_000
  const wanted = (specs: readonly string[], at: number) =>
    specs.some((each) => {
      const [first = '', last = ''] = each.trim().split('-')
      if (first === '') return last !== '' && at >= size - Number(last)
      return at >= Number(first) && (last === '' || at <= Number(last))
    })
  fc.assert(
    fc.property(fc.array(spec, { maxLength: 20 }), (specs) => {
      const ranges = rangesOf(`bytes=${specs.join(',')}`, size)
      if (ranges === null) return
      if (ranges === 'unsatisfiable') {
        for (let at = 0; at < size; at += 1) expect(wanted(specs, at)).toBe(false)
        return
      }
      expect(ranges.length).toBeLessThanOrEqual(8)
      let before = -1
      for (const { start, end } of ranges) {
        expect(start).toBeGreaterThan(before)
        expect(end).toBeGreaterThanOrEqual(start)
        before = end
      }
      expect(before).toBeLessThan(size)
      const sent = (at: number) => ranges.some(({ start, end }) => at >= start && at <= end)
      for (let at = 0; at < size; at += 1) if (wanted(specs, at)) expect(sent(at)).toBe(true)
    }),
  )
})
