import { execFileSync } from 'node:child_process'
import { atLeast, atMost, type Spread } from '../report/figures.ts'
import { loadBefore, processor, today } from '../report/machine.ts'
import { asMarkdown, type Row, rate, spread, type Table } from '../report/table.ts'
import type { MemoryFigures } from './memory.ts'
import type { SlowFigures } from './slow-readers.ts'
import type { ThroughputRow } from './throughput.ts'

export interface Measured {
  readonly throughput: readonly ThroughputRow[]
  readonly slow: SlowFigures
  readonly memory: MemoryFigures
}

interface Options {
  readonly rounds: number
  readonly seconds: number
}

const BEGIN = '<!-- bench:bytes -->'
const END = '<!-- end of bench:bytes -->'

/** Formats these figures as a section of docs/benchmarks-bytes.md. */
export function documentOf({ throughput, slow, memory }: Measured, options: Options): string {
  const tables = [
    throughputTable(throughput, 200, options),
    throughputTable(throughput, 304, options),
    slowTable(slow),
    memoryTable(memory),
  ]
  return [BEGIN, about(), ...tables.map(asMarkdown), END].join('\n\n')
}

/** Replaces a section of a page, or inserts it before all others. */
export function withOwnPart(page: string, part: string): string {
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)]
  if (begin >= 0 && end > begin) return `${page.slice(0, begin)}${part}${page.slice(end + END.length)}`
  return page.trim() === '' ? `${part}\n` : `${part}\n\n${page}`
}

function about(): string {
  const nginx = execFileSync('sh', ['-c', 'nginx -v 2>&1']).toString().trim().replace('nginx version: ', '')
  return `# Benchmarks: bytes

What the bytes of an image cost, beside nginx and beside the least that node:http can do. \`npm run bench:bytes -- --write\`
measures and writes this part of the page, whatever comes out.

- ${processor()}: the server has one, the load (wrk, 64 kept connections) the other
- Node ${process.versions.node}; Sluice over PostgreSQL, which shares its core; ${nginx} with one worker, sendfile and no log
- ${today()}, at a load of ${loadBefore.toFixed(1)} before

Each contender is a process of its own and serves 64 files of 100 kB in turn; Sluice does so with its real rule sets, to
4,093 or 65,521 client addresses behind a trusted proxy, so that no limit stops the load: another answer than the one that is
measured ends the run. What can be compared are ratios of turns that stood side by side, and of them the median. On a machine
that does other things too, requests in a second of the server's own processor time say more: that ratio stands beside it.`
}

function throughputTable(rows: readonly ThroughputRow[], status: 200 | 304, { rounds, seconds }: Options): Table {
  const target = atLeast(status === 200 ? 0.65 : 0.5)
  return {
    title: status === 200 ? '100 kB from memory' : '304',
    about: `${rounds} rounds of ${seconds} s each.`,
    columns: ['requests/s', 'of nginx', 'least to most', 'by processor time', 'least to most'],
    rows: rows
      .filter((row) => row.status === status)
      .map(({ name, perSecond, ratio, ratioOfCpu }): Row => {
        const cells = [rate(perSecond.median), ...ratioCells(ratio), ...ratioCells(ratioOfCpu)]
        const goals = name.startsWith('Sluice') ? [{ target, figure: ratio.median }] : []
        return { name, cells, goals, raw: { perSecond, ratio, ratioOfCpu } }
      }),
  }
}

const ratioCells = (ratio: Spread): readonly string[] => [ratio.median.toFixed(2), spread(ratio)]

function slowTable(slow: SlowFigures): Table {
  const heldMB = slow.heldBytes / 1e6
  return {
    title: `${slow.readers} slow readers`,
    about: `What 99 of 100 requests for 100 kB take at most, at full load, while ${slow.readers} clients each take an image of 8 MB by a kilobyte a second, once what the sockets’ own buffers hold has been sent. Each turn with them stands between two without.`,
    columns: ['without, ms', 'with, ms', 'with / without', 'memory held, MB'],
    rows: [
      {
        name: 'Sluice, renderings',
        cells: [wordsOf(slow.without), wordsOf(slow.with), slow.ratio.toFixed(2), heldMB.toFixed(0)],
        goals: [{ target: atMost(2), figure: slow.ratio }],
        raw: slow,
      },
    ],
  }
}

const wordsOf = (figures: readonly number[]): string =>
  `${Math.min(...figures).toFixed(1)} to ${Math.max(...figures).toFixed(1)}`

function memoryTable({ idleBytes, mostBytes, movedBytes }: MemoryFigures): Table {
  const rise = (mostBytes - idleBytes) / 2 ** 20
  return {
    title: 'Memory',
    about: `Resident memory of a server that has just started and read each image once, and what it is at most while ${(movedBytes / 1e9).toFixed(1)} GB pass.`,
    columns: ['idle, MB', 'most, MB', 'rise, MB'],
    rows: [
      {
        name: 'Sluice, renderings',
        cells: [idleBytes, mostBytes].map((bytes) => (bytes / 2 ** 20).toFixed(0)).concat(rise.toFixed(0)),
        goals: [{ target: atMost(64), figure: rise }],
        raw: { idleBytes, mostBytes, movedBytes },
      },
    ],
  }
}
