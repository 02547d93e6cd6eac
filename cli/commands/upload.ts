import { translate } from '#messages/translate.ts'
import {
  readArguments,
  readNumber,
  readSome,
  readVisibility,
  readWaiting,
  type Visibility,
  waitingOptions,
} from '../arguments.ts'
import { CommandFailed, type Io } from '../command.ts'
import { connect, type ServerConnection } from '../connection/connection.ts'
import { findOrCreateAlbum } from '../files/albums.ts'
import { deliver, type Sent } from '../files/deliver.ts'
import { fileWorked } from '../files/file-images.ts'
import { findFiles } from '../files/find-files.ts'
import { SpooledInput } from '../files/spool-input.ts'
import type { Worked } from '../files/work-through.ts'
import { createProgress } from '../terminal/create-progress.ts'
import { chooseExitCode, outcomeLine, reportJson, tallyLine } from '../terminal/report.ts'

/** Options of every command that uploads. */
export const sendingOptions = {
  visibility: { type: 'string' },
  parallel: { type: 'string', short: 'p' },
  json: { type: 'boolean' },
  ...waitingOptions,
} as const

export interface SendingOptions {
  readonly visibility: Visibility | undefined
  readonly parallel: number
  readonly asJson: boolean
  /** How long a call may wait for limits. */
  readonly waitMs: number
}

interface SendingValues {
  readonly visibility?: string | undefined
  readonly parallel?: string | undefined
  readonly json?: boolean | undefined
  readonly wait?: string | undefined
  readonly 'no-wait'?: boolean | undefined
}

export function readSending({ visibility, parallel, json, ...waiting }: SendingValues): SendingOptions {
  return {
    visibility: readVisibility(visibility),
    parallel: readNumber('parallel', parallel, { min: 1, max: 8, otherwise: 3 }),
    asJson: json === true,
    ...readWaiting(waiting),
  }
}

/** Uploads files, folders and standard input; prints the address of each in the order of the arguments. */
export async function runUpload(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    ...sendingOptions,
    name: { type: 'string' },
    album: { type: 'string' },
    tag: { type: 'string', multiple: true },
  })
  const words = readSome(positionals, 'files')
  const { name: inputName = '', album = null, tag: tags = [] } = values
  return sendWords(io, words, { ...readSending(values), inputName, album, tags })
}

interface WordsOptions extends SendingOptions {
  /** The file name for standard input. */
  readonly inputName: string
  /** The album for all of them, as the user names it; null for none. */
  readonly album: string | null
  readonly tags: readonly string[]
}

/** Uploads what the arguments name, files the images, and reports the outcomes. */
export async function sendWords(io: Io, words: readonly string[], options: WordsOptions): Promise<number> {
  const { visibility, parallel, asJson, waitMs, inputName, album, tags } = options
  const progress = await createProgress(io)
  try {
    const connection = await connect(io, { waitMs, onWait: (ms, why) => progress.wait(ms, why) })
    if (album !== null || tags.length > 0) refuseToFile(connection)
    await using stdin = new SpooledInput()
    const input = () => stdin.read(io, { name: inputName, maxBytes: connection.maxBytes })
    const { found, leftOut } = await findFiles(words, { signal: io.signal, input })
    // Before the first upload: a wrong name should not be found out after the last.
    const into = album === null ? null : (await findOrCreateAlbum(connection, album)).id
    const sent = await deliver(io, found, { connection, progress, parallel, asJson, visibility })
    const worked = await fileWorked(connection, sent, { album: into, tags })
    progress.end()
    for (const line of newFailures(sent, worked)) progress.say(line)
    if (asJson) reportJson(io, worked, { leftOut })
    const tally = tallyLine('files', worked)
    if (leftOut > 0) progress.say(translate('cli.outcome.othersSkipped', { tally, count: leftOut }))
    else if (found.length !== 1) progress.say(tally)
    return chooseExitCode(io, progress, worked)
  } finally {
    progress.end()
  }
}

/** Throws CommandFailed for a token that may only upload, before it has uploaded anything. */
function refuseToFile({ scopes }: ServerConnection): void {
  if (scopes.includes('manage') && scopes.includes('read')) return
  throw new CommandFailed('refused', translate('cli.albums.tokenScope'))
}

/** Returns the lines of files that were uploaded, but not filed. */
export function newFailures(sent: Worked<Sent>, { reported }: Worked<Sent>): readonly string[] {
  return reported.flatMap(({ label, outcome }, index) => {
    const isNew = outcome.state === 'failed' && sent.reported[index]?.outcome.state !== 'failed'
    return isNew ? outcomeLine(label, outcome) : []
  })
}
