import { parse, View } from 'vega'
import { compile, type TopLevelSpec } from 'vega-lite'
import { type Design, designs } from './designs.ts'
import { type Answered, passings, send, spread } from './traffic.ts'

const LIMIT = 20
const WINDOW_MS = 10_000
const END_MS = 60_000
const PASSED = 'passed'
const REFUSED = 'refused'
const LINE = 'passed in the ten seconds before'

/** A full limit on either side of a window's boundary, twice the rate for a while, and a burst after a pause. */
const CALLS = [
  ...spread(8_000, 2_000, 20),
  ...spread(10_000, 2_000, 20),
  ...spread(24_000, 16_000, 64),
  ...spread(52_000, 500, 30),
]

/** Draws the same minute of traffic through every algorithm as an SVG: calls that passed, calls that were refused, and how many
 *  had passed in the window before each instant. */
export async function plotAdmissions(): Promise<string> {
  const all = designs(LIMIT, '10s')
  const rows = all.flatMap((design) => rowsOf(design, send(design, CALLS)))
  const view = new View(
    parse(
      compile(
        specOf(
          rows,
          all.map(({ name }) => name),
        ),
      ).spec,
    ),
    { renderer: 'none' },
  )
  return view.toSVG()
}

function specOf(rows: readonly Row[], names: string[]): TopLevelSpec {
  const x = { field: 'second', type: 'quantitative' as const, title: 'seconds', scale: { domain: [0, END_MS / 1_000] } }
  const y = { field: 'calls', type: 'quantitative' as const, title: 'calls', axis: { tickCount: 4 } }
  const color = {
    field: 'kind',
    type: 'nominal' as const,
    scale: { domain: [PASSED, REFUSED, LINE], range: ['#2563eb', '#d4d4d8', '#111827'] },
    legend: { orient: 'top' as const, title: null, labelLimit: 300 },
  }
  return {
    background: 'white',
    padding: 16,
    data: { values: [...rows] },
    config: { font: 'Helvetica, Arial, sans-serif', view: { stroke: '#d4d4d8' } },
    facet: {
      row: {
        field: 'design',
        sort: names,
        title: null,
        header: { labelOrient: 'top', labelAnchor: 'start', labelFontSize: 13, labelFontWeight: 600 },
      },
    },
    spacing: 14,
    spec: {
      width: 640,
      height: 92,
      layer: [
        {
          transform: [{ filter: `datum.kind !== "${LINE}"` }],
          mark: 'rect',
          encoding: { x, x2: { field: 'end' }, y: { ...y, field: 'from' }, y2: { field: 'calls' }, color },
        },
        {
          transform: [{ filter: `datum.kind === "${LINE}"` }],
          mark: { type: 'line', interpolate: 'step-after', strokeWidth: 1.5 },
          encoding: { x, y, color },
        },
        {
          data: { values: [{ limit: LIMIT }] },
          mark: { type: 'rule', color: '#dc2626', strokeDash: [4, 3] },
          encoding: { y: { field: 'limit', type: 'quantitative' } },
        },
      ],
    },
  }
}

interface Row {
  readonly design: string
  readonly kind: string
  readonly second: number
  readonly end: number
  readonly from: number
  readonly calls: number
}

/** For each second a bar of passed calls with one of refused calls on top; for each quarter second the count of the preceding
 *  window. */
function rowsOf({ name: design }: Design, answered: readonly Answered[]): readonly Row[] {
  const passed = passings(answered)
  const refused = answered.filter(({ passedAt }) => passedAt === null).map(({ at }) => at)
  const bars = Array.from({ length: END_MS / 1_000 }, (_, second) => {
    const [low, high] = [passed, refused].map((instants) => within(instants, second * 1_000, 1_000))
    const place = { design, second, end: second + 1 }
    const top = (low ?? 0) + (high ?? 0)
    return [
      { ...place, kind: PASSED, from: 0, calls: low ?? 0 },
      { ...place, kind: REFUSED, from: low ?? 0, calls: top },
    ].filter((row) => row.calls > row.from)
  })
  const line = Array.from({ length: END_MS / 250 + 1 }, (_, quarter) => {
    const at = quarter * 250
    const calls = within(passed, at - WINDOW_MS, WINDOW_MS)
    return { design, kind: LINE, second: at / 1_000, end: at / 1_000, from: 0, calls }
  })
  return [...bars.flat(), ...line]
}

function within(instants: readonly number[], from: number, lengthMs: number): number {
  return instants.filter((at) => at >= from && at < from + lengthMs).length
}
