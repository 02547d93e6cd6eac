import { stat } from 'node:fs/promises'
import { translate } from '#messages/translate.ts'
import { readArguments, readBytes, readNumber, readSome } from '../arguments.ts'
import { CommandFailed, exitCodes, type Io, print, printJson } from '../command.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { withServer } from '../connection/with-server.ts'
import { findAlbum } from '../files/albums.ts'
import { deliver, type Shipment } from '../files/deliver.ts'
import { findFiles } from '../files/find-files.ts'
import { findImage, type ImageKey, readKey } from '../files/image-key.ts'
import { readSecret } from '../terminal/ask.ts'
import type { Progress } from '../terminal/progress.ts'
import { chooseExitCode, tallyLine } from '../terminal/report.ts'
import { readEnd } from './read-end.ts'
import { readSending, type SendingOptions, sendingOptions } from './upload.ts'

/** The most images of a share, and the most that a limit can be. */
const MAX_SHARED = 1_000
const MAX_LIMIT = Number.MAX_SAFE_INTEGER

const text = { type: 'string' } as const

const shareOptions = {
  title: text,
  expires: text,
  'password-stdin': { type: 'boolean' },
  'max-views': text,
  originals: { type: 'boolean' },
  'no-titles': { type: 'boolean' },
  'bytes-per-day': text,
  'requests-per-hour': text,
  'requests-per-day': text,
  album: text,
} as const

type ShareValues = ReturnType<typeof readShareArguments>['values']

const readShareArguments = (argv: readonly string[]) => readArguments(argv, { ...sendingOptions, ...shareOptions })

/** Makes a link to images: files, which are uploaded unless they are there already, images of the server, or an album. */
export async function share(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readShareArguments(argv)
  const { album } = values
  if (album === undefined) readSome(positionals, 'shared')
  else if (positionals.length > 0) throw new CommandFailed('usage', translate('cli.sharing.albumOrImages'))
  const sending = readSending(values)
  const settings = readSettings(values)
  const password = values['password-stdin'] ? { password: await readPassword(io) } : {}
  return withServer(io, sending, async (connection, progress) => {
    if (!connection.scopes.includes('manage') || !connection.scopes.includes('read'))
      throw new CommandFailed('refused', translate('cli.albums.tokenScope'))
    const found =
      album === undefined
        ? await gatherImages(io, positionals, { connection, progress, ...sending })
        : { album: (await findAlbum(connection, album)).id }
    if (typeof found === 'number') return found
    const { api, patience, signal } = connection
    const input = { target: found, ...settings, ...password }
    // Not repeated after a lost answer, which may have been that of a link: it would make another.
    const made = await patience.run(() => api.share.create.mutate(input, { signal }), { losses: 0 })
    progress.end()
    if (sending.asJson) printJson(io, { ...made, ...found })
    else print(io, made.url)
    return exitCodes.done
  })
}

function readSettings(values: ShareValues) {
  const { title, expires } = values
  const count = (name: 'max-views' | 'requests-per-hour' | 'requests-per-day', max: number) =>
    values[name] === undefined ? undefined : readNumber(name, values[name], { min: 1, max, otherwise: max })
  const maxViews = count('max-views', 1_000_000)
  const bytesPerDay = readBytes('bytes-per-day', values['bytes-per-day'])
  const requestsPerHour = count('requests-per-hour', MAX_LIMIT)
  const requestsPerDay = count('requests-per-day', MAX_LIMIT)
  return {
    ...(title !== undefined && { title }),
    ...(expires !== undefined && { expiresAt: readEnd(expires, new Date()) }),
    ...(maxViews !== undefined && { maxViews }),
    originals: values.originals === true,
    showsTitles: values['no-titles'] !== true,
    limits: {
      ...(bytesPerDay !== undefined && { bytesPerDay }),
      ...(requestsPerHour !== undefined && { requestsPerHour }),
      ...(requestsPerDay !== undefined && { requestsPerDay }),
    },
  }
}

/** Throws CommandFailed for an empty password: a link that was to be protected would be open. */
async function readPassword(io: Io): Promise<string> {
  const password = await readSecret(io)
  if (password === '') throw new CommandFailed('usage', translate('cli.sharing.noPassword'))
  return password
}

interface Gathering extends SendingOptions {
  readonly connection: ServerConnection
  readonly progress: Progress
}

/** Returns the images that the arguments name, in their order; or an exit code if a file could not be uploaded, because a link
 *  without it would be another one than was asked for. */
async function gatherImages(
  io: Io,
  words: readonly string[],
  { connection, progress, ...sending }: Gathering,
): Promise<{ images: string[] } | number> {
  const parts = await Promise.all(words.map((word) => toPart(io, word, connection)))
  const shipments = parts.flatMap((part) => ('shipments' in part ? part.shipments : []))
  // The link is all that is printed for programs.
  const worked = await deliver(io, shipments, { connection, progress, ...sending, asJson: true })
  if (worked.ended !== null || worked.reported.some(({ outcome }) => outcome.state === 'failed')) {
    progress.say(`${tallyLine('files', worked)}\n${translate('cli.sharing.notMade')}`)
    return chooseExitCode(io, progress, worked)
  }
  const sent = worked.reported.map(({ outcome }) => ('id' in outcome ? outcome.id : ''))
  const ids: string[] = []
  let next = 0
  for (const part of parts) {
    if ('key' in part) ids.push('id' in part.key ? part.key.id : (await findImage(connection, part.key)).id)
    else {
      ids.push(...sent.slice(next, next + part.shipments.length))
      next += part.shipments.length
    }
  }
  const images = [...new Set(ids)]
  if (images.length === 0) throw new CommandFailed('failed', translate('cli.sharing.noImages'))
  if (images.length > MAX_SHARED)
    throw new CommandFailed('failed', translate('cli.sharing.tooMany', { most: MAX_SHARED }))
  return { images }
}

type Part = { readonly shipments: readonly Shipment[] } | { readonly key: ImageKey }

/** A file or folder of this name comes first. Throws CommandFailed for what is neither that nor an image of the server. */
async function toPart(io: Io, word: string, { url }: ServerConnection): Promise<Part> {
  if ((await stat(word).catch(() => null)) === null) return { key: readKey(word, url) }
  const input = () => Promise.reject(new CommandFailed('usage', translate('cli.transfer.notFile')))
  const { found } = await findFiles([word], { signal: io.signal, input })
  return { shipments: found }
}
