import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { CommandFailed } from './command.ts'

/** The options and the words behind a command's name. Throws CommandFailed for an option that the command does not have. */
export function readArguments<const Options extends ParseArgsOptionsConfig>(argv: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true })
  } catch (error) {
    throw new CommandFailed('usage', error instanceof Error ? (error.message.split('. ', 1)[0] ?? '') : String(error))
  }
}

/** An option's whole number; `otherwise` without the option. */
export function readNumber(
  name: string,
  text: string | undefined,
  { min, max, otherwise }: { readonly min: number; readonly max: number; readonly otherwise: number },
): number {
  if (text === undefined) return otherwise
  const value = Number(text)
  if (/^\d+$/.test(text) && value >= min && value <= max) return value
  throw new CommandFailed('usage', `--${name} takes a whole number from ${min} to ${max}, not ${text}.`)
}

const visibilities = ['private', 'link', 'public'] as const
export type Visibility = (typeof visibilities)[number]

/** Who may see what is uploaded; undefined for as the server has it. */
export function readVisibility(text: string | undefined): Visibility | undefined {
  if (text === undefined) return undefined
  const found = visibilities.find((each) => each === text)
  if (found) return found
  throw new CommandFailed('usage', `--visibility takes ${visibilities.join(', ')}, not ${text}.`)
}

/** At least one word. */
export function readSome(words: readonly string[], what: string): readonly string[] {
  if (words.length === 0) throw new CommandFailed('usage', `Say ${what}.`)
  return words
}

/** No word. */
export function readNone([word]: readonly string[]): void {
  if (word !== undefined) throw new CommandFailed('usage', `This command takes options alone, not ${word}.`)
}

/** Exactly one word. */
export function readOne(words: readonly string[], what: string): string {
  const [word, ...more] = readSome(words, what)
  if (word === undefined || more.length > 0) throw new CommandFailed('usage', `Say ${what}, and nothing else.`)
  return word
}
