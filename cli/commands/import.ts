import { openAsBlob } from 'node:fs'
import { rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { translate } from '#messages/translate.ts'
import { toTitle } from '#server/images/names.ts'
import { readArguments, readOne } from '../arguments.ts'
import { CommandFailed, type Io } from '../command.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { withServer } from '../connection/with-server.ts'
import { deliver, type Sent, type Shipment } from '../files/deliver.ts'
import { findInFolder, readFolderManifest } from '../files/folder-export.ts'
import { EXPORT_MANIFEST, type ExportManifest, type ManifestImage, readManifest } from '../files/manifest.ts'
import type { Worked } from '../files/work-through.ts'
import { chooseExitCode, reportJson, tallyLine } from '../terminal/report.ts'
import { readSending, type SendingOptions, sendingOptions, sendWords } from './upload.ts'

/** An image of an export, with its file. */
interface Packed {
  readonly image: ManifestImage
  readonly shipment: Shipment
}

/** Uploads a folder, or an export with the metadata of its images. One failure does not stop the others. */
export async function importAll(argv: readonly string[], io: Io): Promise<number> {
  const { values, positionals } = readArguments(argv, { ...sendingOptions, trash: { type: 'boolean' } })
  const source = readOne(positionals, 'importSource')
  const plain = readSending(values)
  // The server orders images by when they were stored, which parallel uploads would change.
  const options = { ...readSending({ parallel: '1', ...values }), takesTrash: values.trash === true }
  const facts = await stat(source).catch(() => null)
  if (!facts) throw new CommandFailed('failed', translate('cli.transfer.fileMissing', { file: source }))
  if (facts.isFile()) return importArchive(io, source, facts.mtimeMs, options)
  const text = await readFolderManifest(source)
  if (text === null) return sendWords(io, [source], { ...plain, inputName: '' })
  const manifest = readManifest(text)
  const packed = await Promise.all(chosen(manifest, options).map((image) => inFolder(source, image)))
  return importPacked(io, manifest, packed, options)
}

interface ImportOptions extends SendingOptions {
  readonly takesTrash: boolean
}

async function importArchive(io: Io, path: string, mtimeMs: number, options: ImportOptions): Promise<number> {
  const { Archive } = await import('../files/archive.ts')
  await using archive = await Archive.open(path)
  const text = await archive.manifest()
  if (text === null)
    throw new CommandFailed('failed', translate('cli.transfer.notExport', { path, manifest: EXPORT_MANIFEST }))
  const manifest = readManifest(text)
  const packed = chosen(manifest, options).map((image): Packed => {
    const { file } = image
    let taken: string | null = null
    const open = async () => {
      taken ??= await archive.extract(file)
      return openAsBlob(taken)
    }
    const close = async () => {
      if (taken !== null) await rm(taken, { force: true })
    }
    const mark = { path: `${resolve(path)}#${file}`, size: archive.size(file) ?? image.size, mtimeMs }
    return { image, shipment: { ...toShipment(image), ...mark, open, close } }
  })
  return await importPacked(io, manifest, packed, options)
}

async function inFolder(folder: string, image: ManifestImage): Promise<Packed> {
  return { image, shipment: { ...toShipment(image), ...(await findInFolder(folder, image.file)) } }
}

function toShipment({ file, filename, visibility, sha256 }: ManifestImage) {
  return { label: file, name: filename, visibility, sha256 }
}

/** Oldest first, because the server lists images by upload time. Images of the same time are reversed for the same reason. */
function chosen({ images }: ExportManifest, { takesTrash }: ImportOptions): readonly ManifestImage[] {
  return images
    .filter(({ trashedAt }) => takesTrash || trashedAt === null)
    .toReversed()
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)))
}

async function importPacked(
  io: Io,
  { images }: ExportManifest,
  packed: readonly Packed[],
  options: ImportOptions,
): Promise<number> {
  const { waits, asJson, parallel } = options
  return withServer(io, { waits }, async (connection, progress) => {
    if (parallel > 1) progress.say(translate('cli.transfer.order', { parallel }))
    const imageOf = new Map(packed.map(({ image, shipment }) => [shipment.path, image]))
    const finish = async ({ path }: Shipment, { id }: { readonly id: string }) => {
      const image = imageOf.get(path)
      if (image) await restoreTitle(connection, id, image)
    }
    const shipments = packed.map(({ shipment }) => shipment)
    const worked = await deliver(io, shipments, { connection, progress, ...options, finish })
    progress.end()
    const equal = equalHashes(packed, worked)
    const trashed = images.length - packed.length
    if (asJson) reportJson(io, worked, { equalHashes: equal, leftOut: trashed })
    const tally = tallyLine('images', worked)
    progress.say(trashed > 0 ? translate('cli.outcome.inTrashSkipped', { tally, count: trashed }) : tally)
    progress.say(translate('cli.transfer.hashesEqual', { equal, total: packed.length }))
    return chooseExitCode(io, progress, worked)
  })
}

/** Restores the title of an image, unless it was there before with its own title. */
async function restoreTitle(
  { api, patience, signal }: ServerConnection,
  id: string,
  { title, filename }: ManifestImage,
): Promise<void> {
  if (title === toTitle(filename)) return
  const image = await patience.run(() => api.image.get.query({ id }, { signal }))
  if (image.title !== toTitle(image.filename ?? '')) return
  await patience.run(() => api.image.update.mutate({ id, title }, { signal }))
}

/** Counts the images that have the same hash on the server as in the export. */
function equalHashes(packed: readonly Packed[], { reported }: Worked<Sent>): number {
  return reported.filter(({ outcome }, index) => 'sha256' in outcome && outcome.sha256 === packed[index]?.image.sha256)
    .length
}
