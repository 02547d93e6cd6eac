import type { Readable, Writable } from 'node:stream'

/** A stream of the process, which may be a terminal. */
type OfTerminal<Stream> = Stream & { readonly isTTY?: boolean }

/** What a command has of the process that it runs in. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: OfTerminal<Readable>
  /** What programs read: one URL, id or path a line, or JSON. */
  readonly stdout: OfTerminal<Writable>
  /** Everything for people. */
  readonly stderr: OfTerminal<Writable>
  /** Aborted when the user breaks off: the command stops what is under way, says what is left and answers. */
  readonly signal: AbortSignal
}

/** Under what commands stand in the list of all, in this order. */
export const groups = {
  images: 'Images',
  account: 'Your account',
  owner: "For the server's owner, on its machine",
} as const

/** One command of `sluice`. */
export interface Command {
  /** What is typed behind `sluice`, in one word or more: 'upload', 'user create'. */
  readonly name: string
  readonly group: keyof typeof groups
  /** A line for the list of commands. */
  readonly summary: string
  /** What `sluice help <name>` prints: how it is called, and its options; in 80 columns. */
  readonly usage: string
  /** Runs it with what stands behind its name; answers one of `exitCodes`. What it needs is imported within, so that no
   *  command waits for the parts of another. Throws CommandFailed for what the user should know. */
  run(argv: readonly string[], io: Io): Promise<number>
}

/** What the process ends with. */
export const exitCodes = {
  done: 0,
  /** Something of it failed, and is named on standard error. */
  failed: 1,
  /** The command was not understood. */
  usage: 2,
  /** No token, or one that is void. */
  notSignedIn: 3,
  /** The server refused it as a whole: not allowed, or a limit that was not to be waited for. */
  refused: 4,
  /** The server does not answer. */
  unreachable: 5,
  /** Broken off by the user. */
  interrupted: 130,
} as const

export type FailureKind = Exclude<keyof typeof exitCodes, 'done'>

/** Ends a command: the message is for the user, the failure decides the exit code. */
export class CommandFailed extends Error {
  override name = 'CommandFailed'
  readonly failure: FailureKind

  constructor(failure: FailureKind, message: string, options?: ErrorOptions) {
    super(message, options)
    this.failure = failure
  }
}

/** A line as a terminal may be given it: names of files, and whatever a server says, may hold anything. */
export const printable = (line: string): string => line.replace(/[^\P{Cc}\n\t]/gu, '\ufffd')

/** Writes one line for programs. */
export const print = (io: Io, line: string): void => void io.stdout.write(`${printable(line)}\n`)

/** Writes one line for people. */
export const say = (io: Io, line: string): void => void io.stderr.write(`${printable(line)}\n`)

/** Writes what a program asked for with --json. */
export const printJson = (io: Io, value: unknown): void =>
  void io.stdout.write(`${JSON.stringify(value, null, 2).replace(/[\u007f-\u009f]/g, escaped)}\n`)

/** A control that JSON lets stand, and a terminal obeys. */
const escaped = (control: string): string => `\\u00${control.charCodeAt(0).toString(16)}`
