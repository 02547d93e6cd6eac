import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { parseByteSize } from '#format/bytes.ts'
import { formatChoice } from '#format/counts.ts'
import { toMilliseconds } from '#format/durations.ts'
import type { cli } from '#messages/en/cli.ts'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from './command.ts'

/** Parses the options and arguments after a command's name. Throws CommandFailed for an unknown option. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(argv: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new CommandFailed('usage', error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error))
  }
}

/** Returns an option's whole number; `otherwise` without the option. */
export function readNumber(
  name: string,
  text: string | undefined,
  { min, max, otherwise }: { readonly min: number; readonly max: number; readonly otherwise: number },
): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new CommandFailed('usage', translate('cli.arguments.number', { name, min, max, text }))
}

/** Returns an option's size in bytes; undefined without the option. */
export function readBytes(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const bytes = parseByteSize(text)
  if (bytes !== null && bytes >= 1) return bytes
  throw new CommandFailed('usage', translate('cli.arguments.bytes', { name, text }))
}

/** Options of every command that may have to wait for limits. */
export const waitingOptions = { wait: { type: 'string' }, 'no-wait': { type: 'boolean' } } as const

/** Enough for a rule of a few calls per second. */
const MOMENT_MS = 2_000

/** Returns how long a call may wait for limits in all, in milliseconds. Throws CommandFailed for what is no duration. */
export function readWaiting(values: { readonly wait?: string | undefined; readonly 'no-wait'?: boolean | undefined }) {
  const { wait, 'no-wait': noWait } = values
  if (wait === undefined) return { waitMs: noWait ? MOMENT_MS : Number.POSITIVE_INFINITY }
  if (noWait) throw new CommandFailed('usage', translate('cli.arguments.waitOrNot'))
  const waitMs = toMilliseconds(wait)
  if (waitMs >= 0) return { waitMs }
  throw new CommandFailed('usage', translate('cli.arguments.duration', { name: 'wait', text: wait }))
}

/** Returns the choice that an option names. Throws CommandFailed for any other text. */
export function readChoice<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const found = choices.find((each) => each === text)
  if (found) return found
  throw new CommandFailed(
    'usage',
    translate('cli.arguments.choice', { name, choices: formatChoice(choices, 'en'), text }),
  )
}

const visibilities = ['private', 'link', 'public'] as const
export type Visibility = (typeof visibilities)[number]

/** Returns the visibility of uploads; undefined leaves it to the server. */
export const readVisibility = (text: string | undefined): Visibility | undefined =>
  text === undefined ? undefined : readChoice('visibility', text, visibilities)

/** What a command lacks: a key in `cli.arguments.missing`. */
type Missing = keyof typeof cli.arguments.missing

/** Returns the arguments, at least one. */
export function readSome(words: readonly string[], missing: Missing): readonly string[] {
  if (words.length === 0) throw new CommandFailed('usage', translate(`cli.arguments.missing.${missing}`))
  return words
}

/** Throws CommandFailed if there is an argument. */
export function readNone([word]: readonly string[]): void {
  if (word !== undefined) throw new CommandFailed('usage', translate('cli.arguments.unexpected', { word }))
}

/** Returns the only argument. */
export function readOne(words: readonly string[], missing: Missing): string {
  const [word = '', ...more] = readSome(words, missing)
  readNone(more)
  return word
}
