import { join } from 'node:path'
import { translate } from '#messages/translate.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { readArguments, readNumber, readSome, readWaiting, waitingOptions } from '../arguments.ts'
import { CommandFailed, type Io } from '../command.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed } from '../connection/server-error.ts'
import { withServer } from '../connection/with-server.ts'
import { fileName } from '../files/file-name.ts'
import { findImage, readKey } from '../files/image-key.ts'
import { compareFile, type RemoteFile, saveImage } from '../files/save-image.ts'
import { myImages } from '../files/stored-images.ts'
import { workThrough } from '../files/work-through.ts'
import type { Progress } from '../terminal/progress.ts'
import { chooseExitCode, outcomeLine, reportJson, tallyLine } from '../terminal/report.ts'

/** An image to download. */
interface Wanted {
  readonly label: string
  find(): Promise<ImageItem>
}

/** Downloads images; prints the path of each in the order of the arguments. */
export async function runDownload(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    all: { type: 'boolean' },
    to: { type: 'string' },
    force: { type: 'boolean' },
    parallel: { type: 'string', short: 'p' },
    json: { type: 'boolean' },
    ...waitingOptions,
  })
  const { all = false, to = '.', force = false, json = false } = values
  const parallel = readNumber('parallel', values.parallel, { min: 1, max: 8, otherwise: 3 })
  if (all && positionals.length > 0) throw new CommandFailed('usage', translate('cli.arguments.allOrImages'))
  if (!all) readSome(positionals, 'imagesOrAll')
  return withServer(io, readWaiting(values), async (connection, progress) => {
    const wanted = all ? await findAll(connection) : positionals.map((word) => named(word, connection))
    const names = new Set<string>()
    const worked = await workThrough(wanted, {
      parallel,
      getLabel: ({ label }) => label,
      work: async ({ find }) => save(await find(), { connection, progress, folder: to, force, names }),
      report: ({ label, outcome }) => {
        if (outcome.state === 'failed') progress.say(outcomeLine(label, outcome))
        if ('path' in outcome && !json) progress.print(outcome.path)
      },
    })
    progress.end()
    if (json) reportJson(io, worked)
    if (wanted.length !== 1) progress.say(tallyLine('images', worked))
    return chooseExitCode(io, progress, worked)
  })
}

function named(label: string, connection: ServerConnection): Wanted {
  const key = readKey(label, connection.url)
  return { label, find: () => findImage(connection, key) }
}

async function findAll(connection: ServerConnection): Promise<readonly Wanted[]> {
  const images = await Array.fromAsync(myImages(connection))
  return images.map((image) => ({ label: image.filename ?? image.id, find: async () => image }))
}

interface Saving {
  readonly connection: ServerConnection
  readonly progress: Progress
  readonly folder: string
  readonly force: boolean
  /** Names that this run has used. */
  readonly names: Set<string>
}

async function save(image: ImageItem, { folder, force, names, ...parts }: Saving) {
  const { filename, mime, id } = image
  const file = toRemoteFile(image)
  parts.progress.expect(file.size)
  const named = { filename: filename ?? '', mime }
  const plain = fileName(named)
  const name = names.has(folded(plain)) ? fileName(named, `-${id.slice(-8)}`) : plain
  names.add(folded(name))
  const path = join(folder, name)
  const there = await compareFile(path, file)
  if (there === 'same') {
    parts.progress.begin(name, file.size).end(true)
    return { state: 'there' as const, id, path }
  }
  if (there === 'other' && !force) throw new ItemFailed(translate('cli.transfer.existsOther', { path }))
  await saveImage(file, path, { ...parts, label: name, replaces: force })
  return { state: 'saved' as const, id, path }
}

/** Folds names that are one on a file system that ignores case or normalizes Unicode. */
const folded = (name: string): string => name.normalize('NFC').toLowerCase()

/** Throws ItemFailed for an image that the caller may not view. */
export function toRemoteFile({ url, size, sha256 }: Pick<ImageItem, 'url' | 'size' | 'sha256'>): RemoteFile {
  if (url === null) throw new ItemFailed(translate('cli.transfer.notReadable'))
  return { url, size, sha256 }
}
