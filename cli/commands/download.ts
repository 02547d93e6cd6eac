import { join } from 'node:path'
import { count } from '#format/counts.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { readArguments, readNumber, readSome } from '../arguments.ts'
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
import { exitCodeOf, outcomeLine, reportJson, tallyLine } from '../terminal/report.ts'

/** What is to be brought home. */
interface Wanted {
  readonly label: string
  find(): Promise<ImageItem>
}

/** Brings images home; prints the path of each in the order of the words. */
export async function download(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    all: { type: 'boolean' },
    to: { type: 'string' },
    force: { type: 'boolean' },
    parallel: { type: 'string', short: 'p' },
    json: { type: 'boolean' },
    'no-wait': { type: 'boolean' },
  })
  const { all = false, to = '.', force = false, json = false } = values
  const parallel = readNumber('parallel', values.parallel, { min: 1, max: 8, otherwise: 3 })
  if (all && positionals.length > 0) throw new CommandFailed('usage', 'Say either --all or which images to download.')
  if (!all) readSome(positionals, 'which images to download, by id or address, or --all')
  return withServer(io, { waits: !values['no-wait'] }, async (connection, progress) => {
    const wanted = all ? await everything(connection) : positionals.map((word) => named(word, connection))
    const names = new Set<string>()
    const worked = await workThrough(wanted, {
      parallel,
      labelOf: ({ label }) => label,
      work: async ({ find }) => save(await find(), { connection, progress, folder: to, force, names }),
      tell: ({ label, outcome }) => {
        if (outcome.state === 'failed') progress.say(outcomeLine(label, outcome))
        if ('path' in outcome && !json) progress.print(outcome.path)
      },
    })
    progress.end()
    if (json) reportJson(io, worked)
    if (wanted.length !== 1) progress.say(tallyLine(count(wanted.length, 'image'), worked))
    return exitCodeOf(io, progress, worked)
  })
}

function named(label: string, connection: ServerConnection): Wanted {
  const key = readKey(label, connection.url)
  return { label, find: () => findImage(connection, key) }
}

async function everything(connection: ServerConnection): Promise<readonly Wanted[]> {
  const images = await Array.fromAsync(myImages(connection))
  return images.map((image) => ({ label: image.filename ?? image.id, find: async () => image }))
}

interface Saving {
  readonly connection: ServerConnection
  readonly progress: Progress
  readonly folder: string
  readonly force: boolean
  /** Names that this run has given. */
  readonly names: Set<string>
}

async function save(image: ImageItem, { folder, force, names, ...parts }: Saving) {
  const { filename, mime, id } = image
  const file = remoteFileOf(image)
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
  if (there === 'other' && !force)
    throw new ItemFailed(`${path} is there already, and is another: --force replaces it.`)
  await saveImage(file, path, { ...parts, label: name, replaces: force })
  return { state: 'saved' as const, id, path }
}

/** Two images may have one name; so they may to a file system that knows no case, or spells an accent in one way alone. */
const folded = (name: string): string => name.normalize('NFC').toLowerCase()

/** Throws ItemFailed for an image whose bytes are not for the caller. */
export function remoteFileOf({ url, size, sha256 }: Pick<ImageItem, 'url' | 'size' | 'sha256'>): RemoteFile {
  if (url === null) throw new ItemFailed('This image is not for you to read.')
  return { url, size, sha256 }
}
