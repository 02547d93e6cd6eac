import { basename } from 'node:path'
import { CommandFailed, exitCodes, type Io, printJson } from '../command.ts'
import type { ItemOutcome, Worked } from '../files/work-through.ts'
import type { Progress } from './progress.ts'

/** What can become of something, in words. */
const words = {
  stored: 'stored',
  there: 'already there',
  changed: 'changed',
  saved: 'saved',
  trashed: 'moved to the trash',
  restored: 'restored',
  /** There was nothing to restore. */
  outside: 'not in the trash',
  /** By whoever may not know where it was. */
  out: 'out of the trash',
  failed: 'failed',
  left: 'left',
} as const

export type State = keyof typeof words

interface Done {
  readonly state: State
  /** Of an image, where it is known. */
  readonly filename?: string | null
}

/** 'stored a.png', 'stored - as image.png', 'failed b.png: The file is empty.' */
export function outcomeLine(label: string, outcome: ItemOutcome<Done>): string {
  const reason = 'reason' in outcome ? `: ${outcome.reason}` : ''
  const { filename } = { filename: null, ...outcome }
  const as = filename === null || filename === basename(label) ? '' : ` as ${filename}`
  return `${words[outcome.state]} ${label}${as}${reason}`
}

/** '61 files: 58 stored, 2 already there, 1 failed': their sum is the number of all. */
export function tallyLine(things: string, { reported }: Worked<Done>): string {
  const parts = Array.from(tally(reported), ([state, amount]) => `${amount} ${words[state]}`)
  return `${things}: ${parts.join(', ') || 'nothing to do'}`
}

function tally(reported: Worked<Done>['reported']): ReadonlyMap<State, number> {
  const states = Object.keys(words).filter((word): word is State => word in words)
  const counts = states.map(
    (state) => [state, reported.filter(({ outcome }) => outcome.state === state).length] as const,
  )
  return new Map(counts.filter(([, amount]) => amount > 0))
}

/** The answer of --json: how many of each, and each of them. */
export function reportJson(io: Io, { reported }: Worked<Done>, more: object = {}): void {
  const items = reported.map(({ label, outcome }) => ({ item: label, ...outcome }))
  printJson(io, { total: items.length, ...Object.fromEntries(tally(reported)), ...more, items })
}

/** The exit code of what became of many; tells what ended it before its time. */
export function exitCodeOf(io: Io, progress: Progress, { reported, ended }: Worked<Done>): number {
  const counts = tally(reported)
  if (ended === null) return counts.has('failed') ? exitCodes.failed : exitCodes.done
  const left = `${counts.get('left') ?? 0} left: the same command goes on from here.`
  if (io.signal.aborted) {
    progress.say(`Broken off. ${left}`)
    return exitCodes.interrupted
  }
  if (!(ended instanceof CommandFailed)) throw ended
  progress.say(`sluice: ${ended.message}\n${left}`)
  return exitCodes[ended.failure]
}
