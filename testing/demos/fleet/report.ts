import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { formatBytes } from '#format/bytes.ts'
import type { MemoryUse } from './memory.ts'
import type { Counted } from './spending.ts'
import { outcomes, type Tally } from './tally.ts'

const PAGE = join(import.meta.dirname, '../../../docs/reliability.md')
/** What a run writes begins here, and ends with the page. */
const HEADING = '## The last run'

/** What a run of the demonstration has found. */
export interface FleetRun {
  readonly minutes: number
  readonly seed: number
  readonly tally: Tally
  readonly faults: ReadonlyMap<string, number>
  readonly memory: MemoryUse | null
  readonly spending: readonly Counted[]
  readonly stored: string
}

/** Returns the run's tables in Markdown. */
export function describeRun({ minutes, seed, tally, faults, memory, spending }: FleetRun): string {
  const [cpu] = cpus()
  const machine = `${cpus().length} cores of ${cpu?.model.trim() ?? 'an unknown processor'}, Node ${process.versions.node}`
  const checked = [...tally.claims].map(([claim, { checked, broken }]) => [claim, checked, broken.length])
  const requests = [...tally.kinds].map(([kind, counts]) => [kind, ...outcomes.map((outcome) => counts[outcome])])
  const sums = outcomes.map((outcome) => [...tally.kinds.values()].reduce((sum, counts) => sum + counts[outcome], 0))
  const spent = spending.map(({ name, counted, seen }) => [name, seen, counted])
  return [
    `${minutes} minutes with the seed ${seed}, ${new Date().toISOString().slice(0, 10)}; ${machine}, shared with the clients and the stores.`,
    table(['claim', 'checks', 'broken'], checked),
    table(['requests', ...outcomes], [...requests, ['all', ...sums]]),
    table(['fault', 'times'], [...faults]),
    table(['budgets', 'seen by the bucket', 'counted'], spent),
    memory === null
      ? 'No process ran for long enough to say anything about memory.'
      : `A process that nothing ended held ${formatBytes(memory.early, 'en')} after its first minute, and ${formatBytes(memory.late, 'en')} in the last third of its ${memory.minutes.toFixed(0)} minutes.`,
  ].join('\n\n')
}

/** Replaces the last run in docs/reliability.md. */
export function writeRun(run: FleetRun): void {
  const page = readFileSync(PAGE, 'utf8')
  const kept = page.slice(0, page.indexOf(HEADING))
  writeFileSync(PAGE, `${kept}${HEADING}\n\n${describeRun(run)}\n`)
}

function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows.map((row) => row.map((cell) => cell.toLocaleString('en')))]
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
