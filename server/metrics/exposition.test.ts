import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseExposition } from '#testing/http/parse-exposition.ts'
import { exposition } from './exposition.ts'

test('writes help, type and series of a metric', () => {
  const samples = [{ labels: { path: 'a"b\\c\nd', of: '' }, value: 3 }, { value: 0.25 }]
  expect(
    exposition([
      { name: 'calls_total', help: 'Calls \\ of\nall.', type: 'counter', samples },
      { name: 'empty', help: 'Nothing.', type: 'gauge', samples: [] },
      { name: 'up', help: 'Up.', type: 'gauge', samples: [{ value: 1 }] },
    ]),
  ).toBe(
    [
      '# HELP calls_total Calls \\\\ of\\nall.',
      '# TYPE calls_total counter',
      'calls_total{path="a\\"b\\\\c\\nd",of=""} 3',
      'calls_total 0.25',
      '# HELP up Up.',
      '# TYPE up gauge',
      'up 1',
      '',
    ].join('\n'),
  )
})

test('a strict parser reads back any label and value', () => {
  const text = fc.string({ unit: fc.constantFrom(...'\\"\n{},= na\u{e4}\u{1f600}') })
  const sample = fc.record({ labels: fc.record({ first: text, second: text }), value: fc.double() })
  fc.assert(
    fc.property(
      text,
      fc.uniqueArray(sample, { minLength: 1, maxLength: 4, selector: ({ labels }) => JSON.stringify(labels) }),
      (help, samples) => {
        const metrics = ['a_total', 'b_total'].map((name) => {
          return { name, help: `Help: ${help}`, type: 'counter' as const, samples }
        })
        const parsed = parseExposition(exposition(metrics))
        const expected = { help: `Help: ${help}`, type: 'counter', samples: samples.map(plusZero) }
        expect([...parsed]).toEqual([
          ['a_total', expected],
          ['b_total', expected],
        ])
      },
    ),
  )
})

/** The format has no negative zero. */
const plusZero = <T extends { value: number }>(sample: T): T => ({ ...sample, value: sample.value + 0 })

test.each([
  ['a 1', 'stands under'],
  ['# HELP a A.\na 1', 'no TYPE'],
  ['# HELP a A.\n# TYPE a gauge\na 1\na 2', 'stands twice'],
  ['# HELP a A.\n# TYPE a gauge\na 1\n# HELP b B.\n# TYPE b gauge\nb 1\na{x="1"} 1', 'stands under b'],
  ['# HELP a A.\n# TYPE a gauge\n# HELP b B.\n# TYPE b gauge\n# HELP a A.\n# TYPE a gauge', 'two places'],
  ['# HELP a A.\n# TYPE a gauge\na{x="1""} 1', 'no line'],
  ['# HELP a A.\n# TYPE a gauge\na one', 'no line'],
  ['# HELP a A.\n# TYPE a gauge\n\na 1', 'no line'],
])('the parser of these tests refuses %j', (text, reason) => {
  expect(() => parseExposition(`${text}\n`)).toThrow(reason)
})
