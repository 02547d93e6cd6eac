import { count } from '#app/ui/format.ts'
import { CommandFailed, exitCodes, type Io, printJson } from './command.ts'
import type { Progress } from './progress.ts'
import type { Outcome } from './send-files.ts'

/** One file with what became of it. */
export interface Reported {
  readonly label: string
  readonly outcome: Outcome
}

/** Tells of one that is over: its address to programs, the rest to people. */
export function reportOne(progress: Progress, { label, outcome }: Reported, asJson: boolean): void {
  if (outcome.state === 'failed') progress.say(`failed ${label}: ${outcome.reason}`)
  if (outcome.state !== 'stored' && outcome.state !== 'there') return
  progress.say(`${outcome.state === 'stored' ? 'stored' : 'already there'} ${label}`)
  if (!asJson) progress.print(outcome.image.url)
}

/** Counts what became of all; nothing is lost: their sum is the number of files. */
export function tally(reported: readonly Reported[]) {
  const of = (state: Outcome['state']) => reported.filter(({ outcome }) => outcome.state === state).length
  return { files: reported.length, stored: of('stored'), there: of('there'), failed: of('failed'), left: of('left') }
}

/** '61 files: 58 stored, 2 already there, 1 failed' */
export function tallyLine({ files, stored, there, failed, left }: ReturnType<typeof tally>): string {
  const parts = [
    [stored, 'stored'],
    [there, 'already there'],
    [failed, 'failed'],
    [left, 'left'],
  ] as const
  const words = parts.flatMap(([amount, word]) => (amount > 0 ? [`${amount} ${word}`] : []))
  return `${count(files, 'file')}: ${words.join(', ') || 'nothing to do'}`
}

/** The answer of --json. */
export function reportJson(io: Io, reported: readonly Reported[], more: object = {}): void {
  const items = reported.map(({ label, outcome }) => {
    if (outcome.state === 'stored' || outcome.state === 'there')
      return { file: label, state: outcome.state, ...outcome.image }
    return { file: label, ...outcome }
  })
  printJson(io, { ...tally(reported), ...more, items })
}

/** The exit code of what became of many, `ended` by what ended it before its time; null where nothing did. */
export function exitCodeOf(io: Io, progress: Progress, reported: readonly Reported[], ended: unknown): number {
  const { failed, left } = tally(reported)
  if (ended === null) return failed > 0 ? exitCodes.failed : exitCodes.done
  if (io.signal.aborted) {
    progress.say(`Broken off, ${left} left. The same command goes on from here.`)
    return exitCodes.interrupted
  }
  if (!(ended instanceof CommandFailed)) throw ended
  progress.say(`sluice: ${ended.message} ${left} left: the same command goes on from here.`)
  return exitCodes[ended.failure]
}
