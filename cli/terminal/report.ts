import { basename } from 'node:path'
import { cli } from '#messages/en/cli.ts'
import { translate } from '#messages/translate.ts'
import { CommandFailed, exitCodes, type Io, printJson } from '../command.ts'
import type { ItemOutcome, Worked } from '../files/work-through.ts'
import type { Progress } from './progress.ts'

export type State = keyof typeof cli.states

/** Every state, in the order of a tally. They are fields of --json: they stay. */
const states = Object.keys(cli.states).filter((word): word is State => word in cli.states)

interface Done {
  readonly state: State
  /** The name of an image, if known. */
  readonly filename?: string | null
  /** The type of a file that was converted. */
  readonly convertedFrom?: string | null
}

/** Returns 'uploaded a.png', 'uploaded - as image.png' or 'failed b.png: The file is empty.' */
export function outcomeLine(label: string, outcome: ItemOutcome<Done>): string {
  const state = translate(`cli.states.${outcome.state}`)
  if ('reason' in outcome) return translate('cli.outcome.failed', { state, label, reason: outcome.reason })
  const { filename, convertedFrom } = { filename: null, convertedFrom: null, ...outcome }
  if (convertedFrom !== null) return translate('cli.outcome.converted', { state, label, filename: filename ?? label })
  if (filename === null || filename === basename(label)) return translate('cli.outcome.plain', { state, label })
  return translate('cli.outcome.as', { state, label, filename })
}

/** Returns '61 files: 58 uploaded, 2 already there, 1 failed', where the counts add up to the total. */
export function tallyLine(kind: 'files' | 'images', { reported }: Worked<Done>): string {
  const things = translate(`cli.${kind}`, { count: reported.length })
  const parts = Array.from(tally(reported), ([state, count]) =>
    translate('cli.outcome.part', { count, state: translate(`cli.states.${state}`) }),
  )
  if (parts.length === 0) return translate('cli.outcome.nothing', { things })
  return translate('cli.outcome.tally', { things, parts: parts.join(', ') })
}

function tally(reported: Worked<Done>['reported']): ReadonlyMap<State, number> {
  const counts = states.map(
    (state) => [state, reported.filter(({ outcome }) => outcome.state === state).length] as const,
  )
  return new Map(counts.filter(([, amount]) => amount > 0))
}

/** Prints the document of --json: the count of each state, and each item. */
export function reportJson(io: Io, { reported }: Worked<Done>, more: object = {}): void {
  const items = reported.map(({ label, outcome }) => ({ item: label, ...outcome }))
  printJson(io, { total: items.length, ...Object.fromEntries(tally(reported)), ...more, items })
}

/** Returns the exit code of many outcomes, and reports what ended the command early. */
export function chooseExitCode(io: Io, progress: Progress, { reported, ended }: Worked<Done>): number {
  const counts = tally(reported)
  if (ended === null) return counts.has('failed') ? exitCodes.failed : exitCodes.done
  const count = counts.get('left') ?? 0
  if (io.signal.aborted) {
    progress.say(translate('cli.outcome.interrupted', { count }))
    return exitCodes.interrupted
  }
  if (!(ended instanceof CommandFailed)) throw ended
  progress.say(`sluice: ${ended.message}\n${translate('cli.outcome.remaining', { count })}`)
  return exitCodes[ended.failure]
}
