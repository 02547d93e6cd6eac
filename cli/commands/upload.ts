import { translate } from '#messages/translate.ts'
import { readArguments, readNumber, readSome, readVisibility, type Visibility } from '../arguments.ts'
import type { Io } from '../command.ts'
import { connect } from '../connection/connection.ts'
import { deliver } from '../files/deliver.ts'
import { findFiles } from '../files/find-files.ts'
import { SpooledInput } from '../files/spool-input.ts'
import { createProgress } from '../terminal/create-progress.ts'
import { chooseExitCode, reportJson, tallyLine } from '../terminal/report.ts'

/** Options of every command that uploads. */
export const sendingOptions = {
  visibility: { type: 'string' },
  parallel: { type: 'string', short: 'p' },
  json: { type: 'boolean' },
  'no-wait': { type: 'boolean' },
} as const

export interface SendingOptions {
  readonly visibility: Visibility | undefined
  readonly parallel: number
  readonly asJson: boolean
  readonly waits: boolean
}

interface SendingValues {
  readonly visibility?: string | undefined
  readonly parallel?: string | undefined
  readonly json?: boolean | undefined
  readonly 'no-wait'?: boolean | undefined
}

export function readSending({ visibility, parallel, json, 'no-wait': noWait }: SendingValues): SendingOptions {
  return {
    visibility: readVisibility(visibility),
    parallel: readNumber('parallel', parallel, { min: 1, max: 8, otherwise: 3 }),
    asJson: json === true,
    waits: noWait !== true,
  }
}

/** Uploads files, folders and standard input; prints the address of each in the order of the arguments. */
export async function runUpload(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...sendingOptions, name: { type: 'string' } })
  const words = readSome(positionals, 'files')
  return sendWords(io, words, { ...readSending(values), inputName: values.name ?? '' })
}

/** Uploads what the arguments name and reports the outcomes. `inputName` is the file name for standard input. */
export async function sendWords(
  io: Io,
  words: readonly string[],
  options: SendingOptions & { readonly inputName: string },
): Promise<number> {
  const { visibility, parallel, asJson, waits, inputName } = options
  const progress = await createProgress(io)
  try {
    const connection = await connect(io, { waits, onWait: (waitMs, why) => progress.wait(waitMs, why) })
    await using stdin = new SpooledInput()
    const input = () => stdin.read(io, { name: inputName, maxBytes: connection.maxBytes })
    const { found, leftOut } = await findFiles(words, { signal: io.signal, input })
    const worked = await deliver(io, found, { connection, progress, parallel, asJson, visibility })
    progress.end()
    if (asJson) reportJson(io, worked, { leftOut })
    const tally = tallyLine('files', worked)
    if (leftOut > 0) progress.say(translate('cli.outcome.othersSkipped', { tally, count: leftOut }))
    else if (found.length !== 1) progress.say(tally)
    return chooseExitCode(io, progress, worked)
  } finally {
    progress.end()
  }
}
