import type { Readable, Writable } from 'node:stream'
import type { cliHelp } from '#messages/en/cli-help.ts'

/** A stream of the process, which may be a terminal. */
type OfTerminal<Stream> = Stream & { readonly isTTY?: boolean }

/** The part of the process that a command uses. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: OfTerminal<Readable>
  /** For programs: one URL, id or path per line, or JSON. */
  readonly stdout: OfTerminal<Writable>
  /** Everything for people. */
  readonly stderr: OfTerminal<Writable>
  /** Aborted when the user interrupts: the command stops its work, reports what remains, and returns. */
  readonly signal: AbortSignal
}

/** The sections of the help, in this order. */
export const groups = ['images', 'account', 'owner'] as const

export type OptionKey = keyof typeof cliHelp.options

/** One command of `sluice`. Its texts are keys of messages in `cliHelp`. */
export interface Command {
  /** What is typed after `sluice`, one word or more: 'upload', 'user create'. */
  readonly name: string
  readonly group: (typeof groups)[number]
  readonly summary: keyof typeof cliHelp.summaries
  /** The arguments of each way to call it: '[options] <image>...'. */
  readonly calls: readonly string[]
  /** By their syntax: '--name <name>'. */
  readonly options?: Readonly<Record<string, OptionKey>>
  readonly notes?: readonly (keyof typeof cliHelp.notes)[]
  /**
   * Runs the command with the arguments after its name; returns one of `exitCodes`. Imports what it needs within, so
   * that no command loads the code of another. Throws CommandFailed for what the user should know.
   */
  run(argv: readonly string[], io: Io): Promise<number>
}

export const exitCodes = {
  done: 0,
  /** Something failed; standard error has the details. */
  failed: 1,
  /** The arguments are not valid. */
  usage: 2,
  /** No token, or one that is not valid. */
  notSignedIn: 3,
  /** The server refused the whole command: not allowed, or a limit under --no-wait. */
  refused: 4,
  /** The server does not respond. */
  unreachable: 5,
  /** Interrupted by the user. */
  interrupted: 130,
} as const

export type FailureKind = Exclude<keyof typeof exitCodes, 'done'>

/** Ends a command. The message is for the user; the failure selects the exit code. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
  readonly failure: FailureKind

  constructor(failure: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** Replaces control characters: file names and server messages may contain any, and a terminal obeys them. */
export const printable = (line: string): string => line.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')

/** Writes one line for programs. */
export const print = (io: Io, line: string): void => void io.stdout.write(`${printable(line)}\n`)

/** Writes one line for people. */
export const say = (io: Io, line: string): void => void io.stderr.write(`${printable(line)}\n`)

/** Writes the document of --json. */
export const printJson = (io: Io, value: unknown): void =>
  void io.stdout.write(`${JSON.stringify(value, null, 2).replace(/[\u007f-\u009f]/g, escaped)}\n`)

/** Escapes a control character that JSON allows but a terminal obeys. */
const escaped = (control: string): string => `\\u00${control.charCodeAt(0).toString(16)}`
