import { mkdir, readFile, rename, rm, rmdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { translate } from '#messages/translate.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { readArguments, readNumber, readOne, readWaiting, waitingOptions } from '../arguments.ts'
import { CommandFailed, type Io, print } from '../command.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed } from '../connection/server-error.ts'
import { withServer } from '../connection/with-server.ts'
import { fileName } from '../files/file-name.ts'
import { type Library, readLibrary } from '../files/library.ts'
import {
  EXPORT_MANIFEST,
  type ExportManifest,
  type ManifestImage,
  parseManifest,
  writeManifest,
} from '../files/manifest.ts'
import { compareFile, saveImage } from '../files/save-image.ts'
import { myImages } from '../files/stored-images.ts'
import { type Worked, workThrough } from '../files/work-through.ts'
import type { Progress } from '../terminal/progress.ts'
import { chooseExitCode, outcomeLine, reportJson, tallyLine } from '../terminal/report.ts'
import { toRemoteFile } from './download.ts'

type Exported = ManifestImage & { readonly state: 'saved' | 'there' }

/** Downloads all of the user's images with their metadata, into a folder or a zip. Files already in the folder with the right
 *  hash are not downloaded again. */
export async function exportAll(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, {
    trash: { type: 'boolean' },
    force: { type: 'boolean' },
    parallel: { type: 'string', short: 'p' },
    json: { type: 'boolean' },
    ...waitingOptions,
  })
  const target = readOne(positionals, 'exportTarget')
  const parallel = readNumber('parallel', values.parallel, { min: 1, max: 8, otherwise: 3 })
  const isZip = /\.zip$/i.test(target)
  if (isZip && !values.force && (await stat(target).catch(() => null)))
    throw new CommandFailed('failed', translate('cli.transfer.exists', { path: target }))
  // A zip cannot be resumed, so the files are collected in a folder beside it first.
  const folder = isZip ? `${target}.files` : target
  return withServer(io, readWaiting(values), async (connection, progress) => {
    if (!values.force) await refuseForeign(folder, connection)
    const images = await listImages(connection, values.trash === true)
    const worked = await gather(images, folder, { connection, progress, parallel })
    if (worked.ended === null) {
      const manifest = makeManifest(connection, worked, await readLibrary(connection))
      await saveManifest(folder, manifest)
      if (isZip) await pack(target, folder, manifest, io)
    }
    progress.end()
    if (values.json) reportJson(io, worked, { target })
    else if (worked.ended === null) print(io, target)
    progress.say(tallyLine('images', worked))
    return chooseExitCode(io, progress, worked)
  })
}

/** Throws CommandFailed rather than overwrite a manifest of something else or of another account. */
async function refuseForeign(folder: string, { url, username }: ServerConnection): Promise<void> {
  const path = join(folder, EXPORT_MANIFEST)
  const text = await readFile(path, 'utf8').catch(() => null)
  if (text === null) return
  const found = parseManifest(text)
  if (found?.server === url && found.username === username) return
  throw new CommandFailed('failed', translate('cli.transfer.otherExport', { path }))
}

async function listImages(connection: ServerConnection, withTrash: boolean): Promise<readonly ImageItem[]> {
  const images = await Array.fromAsync(myImages(connection))
  return withTrash ? [...images, ...(await Array.fromAsync(myImages(connection, { trash: true })))] : images
}

interface Gathering {
  readonly connection: ServerConnection
  readonly progress: Progress
  readonly parallel: number
}

function gather(images: readonly ImageItem[], folder: string, parts: Gathering): Promise<Worked<Exported>> {
  const { progress, parallel } = parts
  for (const { size } of images) progress.expect(size)
  return workThrough(images, {
    parallel,
    getLabel: ({ filename, id }) => filename ?? id,
    work: async (image) => {
      const entry = toManifestImage(image)
      const file = toRemoteFile(image)
      const path = join(folder, entry.file)
      if ((await compareFile(path, file)) === 'same') {
        progress.begin(entry.filename, file.size).end(true)
        return { ...entry, state: 'there' }
      }
      await saveImage(file, path, { ...parts, label: entry.filename, replaces: true })
      return { ...entry, state: 'saved' }
    },
    report: ({ label, outcome }) => {
      if (outcome.state !== 'left') progress.say(outcomeLine(label, outcome))
    },
  })
}

/** The id makes the file name unique, and the same in every run. */
function toManifestImage(image: ImageItem): ManifestImage {
  const { id, slug, filename, title, visibility, createdAt, trashedAt, sha256, size, mime, width, height } = image
  const { description, tags, favourite, takenAt, camera } = image
  if (slug === null || filename === null || title === null || sha256 === null)
    throw new ItemFailed(translate('cli.transfer.notReadable'))
  const file = `images/${fileName({ filename, mime }, `-${id.slice(-12)}`)}`
  return {
    ...{ file, id, slug, filename, title, visibility, createdAt, trashedAt, sha256, size, mime, width, height },
    ...{ description: description ?? '', tags: [...(tags ?? [])], favourite, takenAt, camera },
  }
}

function makeManifest(
  { url, username }: ServerConnection,
  { reported }: Worked<Exported>,
  library: Library,
): ExportManifest {
  const images = reported.flatMap(({ outcome }) => {
    if (!('file' in outcome)) return []
    const { state: _, ...image } = outcome
    return [image]
  })
  const about = { format: 'sluice-export', version: 1, exportedAt: new Date().toISOString() } as const
  return { ...about, server: url, username, images, ...library }
}

async function saveManifest(folder: string, manifest: ExportManifest): Promise<void> {
  await mkdir(folder, { recursive: true })
  const unfinished = join(folder, `${EXPORT_MANIFEST}.${process.pid}`)
  await writeFile(unfinished, writeManifest(manifest))
  await rename(unfinished, join(folder, EXPORT_MANIFEST))
}

async function pack(
  target: string,
  folder: string,
  { images, exportedAt }: ExportManifest,
  { signal }: Io,
): Promise<void> {
  const { writeArchive } = await import('../files/archive.ts')
  const manifest = { name: EXPORT_MANIFEST, path: join(folder, EXPORT_MANIFEST), lastModified: new Date(exportedAt) }
  const files = images.map(({ file, createdAt }) => {
    return { name: file, path: join(folder, file), lastModified: new Date(createdAt) }
  })
  const gathered = [manifest, ...files]
  await writeArchive(target, gathered, signal)
  // Files that others put there stay.
  for (const { path } of gathered) await rm(path, { force: true })
  for (const emptied of [join(folder, 'images'), folder]) await rmdir(emptied).catch(() => undefined)
}
