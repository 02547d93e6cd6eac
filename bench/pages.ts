/** What pages cost a visitor's phone, by Lighthouse's mobile preset: docs/benchmarks-pages.md. `npm run bench:pages`, with taskset
 *  and Chromium installed; `-- --runs n`, `--write` to write the page. The server has the first core, Chromium the second. */
import { execFileSync } from 'node:child_process'
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { findChromium } from '#testing/servers/chromium.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { auditPage, type Figures } from './pages/audit-page.ts'
import { startEmptyPage } from './pages/empty-page.ts'
import { fillGallery, startWithGallery } from './pages/scene.ts'
import { median } from './report/figures.ts'
import { versionOf } from './report/machine.ts'
import { publish } from './report/page.ts'
import type { Row } from './report/table.ts'

// Exit normally on a signal, because the server ends only then.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '5' }, write: { type: 'boolean', default: false } },
})
const runs = Number(values.runs)
if (!Number.isSafeInteger(runs) || runs < 1) throw new Error('--runs must be a whole number')

const port = await freePort()
const executablePath = findChromium()
stayOn(1)
await using browser = await chromium.launch({
  ...(executablePath && { executablePath }),
  args: [
    '--disable-background-networking',
    `--remote-debugging-port=${port}`,
    // Chromium's sandbox refuses to run as root.
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  ],
})
stayOn(0)
await using server = await startWithGallery()
await using empty = await startEmptyPage()
const rows: Row[] = []
for (const { name, url, headers } of [
  { name: 'an empty page of Next', url: empty.url, headers: {} },
  ...(await fillGallery(server)),
]) {
  const figures: Figures[] = []
  // The server compresses and keeps what it sends at the first load, which is not measured.
  for (let run = 0; run <= runs; run += 1) {
    const measured = await auditPage(url, port, headers)
    if (run > 0) figures.push(measured)
  }
  rows.push(rowOf(name, figures))
  console.error(name, JSON.stringify(figures))
}
publish(
  { title: 'Benchmark of pages', script: 'bench:pages', file: 'benchmarks-pages.md' },
  [
    {
      title: 'Pages',
      about: `Lighthouse ${versionOf('lighthouse')} with its mobile preset, which simulates a phone on slow 4G, in Chromium ${browser.version()}, without extensions and with an empty cache. The production build and Chromium have a core each. Home and the gallery show 60 images. The empty page is what Next and React themselves cost on this machine. The median of ${runs} loads of each page, after one that is not measured; scores are of 100, and script is what the page loads, by gzip as sent, with its headers.`,
      columns: [
        'performance',
        'least to most',
        'accessibility',
        'best practices',
        'largest contentful paint, s',
        'total blocking time, ms',
        'script, kB',
        'audits failed',
      ],
      rows,
    },
  ],
  { write: values.write, jsonFile: null },
)

/** Binds this process, and those that it starts from now on, to one core. */
function stayOn(core: number): void {
  execFileSync('taskset', ['-apc', String(core), String(process.pid)])
}

function rowOf(name: string, figures: readonly Figures[]): Row {
  const middle = (figure: (each: Figures) => number): number => median(figures.map(figure))
  const performance = figures.map((each) => each.performance)
  const cells = [
    middle((each) => each.performance).toFixed(0),
    `${Math.min(...performance)} to ${Math.max(...performance)}`,
    middle((each) => each.accessibility).toFixed(0),
    middle((each) => each.bestPractices).toFixed(0),
    (middle((each) => each.largestPaintMs) / 1_000).toFixed(1),
    middle((each) => each.blockingMs).toFixed(0),
    (middle((each) => each.scriptBytes) / 1_000).toFixed(0),
    [...new Set(figures.flatMap(({ failed }) => failed))].join(', ') || 'none',
  ]
  return { name, cells, raw: figures }
}
