import { openAsBlob } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { translate } from '#messages/translate.ts'
import { CommandFailed, exitCodes, type Io } from '../command.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { withServer } from '../connection/with-server.ts'
import { deliver, type Sent, type Shipment } from '../files/deliver.ts'
import { findInFolder } from '../files/folder-export.ts'
import type { Journal } from '../files/journal.ts'
import { EXPORT_MANIFEST, type ManifestImage, type ReadManifest, readManifest } from '../files/manifest.ts'
import { DetailsRestorer } from '../files/restore-details.ts'
import { restoreLibrary } from '../files/restore-library.ts'
import type { Worked } from '../files/work-through.ts'
import type { Progress } from '../terminal/progress.ts'
import { chooseExitCode, reportJson, tallyLine } from '../terminal/report.ts'
import type { SendingOptions } from './upload.ts'

/** An image of an export, with its file. */
interface Packed {
  readonly image: ManifestImage
  readonly shipment: Shipment
}

export interface ExportOptions extends SendingOptions {
  readonly takesTrash: boolean
}

/** Uploads an export that is a folder. `text` is its manifest. */
export async function importFolderExport(
  io: Io,
  folder: string,
  text: string,
  options: ExportOptions,
): Promise<number> {
  const manifest = readManifest(text)
  const packed = await Promise.all(chosen(manifest, options).map((image) => inFolder(folder, image)))
  return importPacked(io, manifest, packed, options)
}

/** Uploads an export that is a zip. */
export async function importArchive(io: Io, path: string, mtimeMs: number, options: ExportOptions): Promise<number> {
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
function chosen({ images }: ReadManifest, { takesTrash }: ExportOptions): readonly ManifestImage[] {
  return images
    .filter(({ trashedAt }) => takesTrash || trashedAt === null)
    .toReversed()
    .toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : Number(a.createdAt > b.createdAt)))
}

async function importPacked(
  io: Io,
  manifest: ReadManifest,
  packed: readonly Packed[],
  options: ExportOptions,
): Promise<number> {
  const { asJson, parallel } = options
  return withServer(io, options, async (connection, progress) => {
    const mayChange = connection.scopes.includes('manage') && connection.scopes.includes('read')
    if (!mayChange) progress.say(translate('cli.albums.uploadsOnly'))
    if (!mayChange && parallel > 1) progress.say(translate('cli.transfer.order', { parallel }))
    const imageOf = new Map(packed.map(({ image, shipment }) => [shipment.path, image]))
    const restorer = new DetailsRestorer(connection)
    const finish = async (shipment: Shipment, { id }: Sent, journal: Journal) => {
      const image = imageOf.get(shipment.path)
      if (image && mayChange) await restorer.add({ id, label: image.file, mark: shipment, journal, image })
    }
    const shipments = packed.map(({ shipment }) => shipment)
    const worked = await deliver(io, shipments, { connection, progress, ...options, finish })
    const { problems, shares } =
      worked.ended === null && mayChange
        ? await restore(connection, { manifest, packed, worked, restorer })
        : { problems: [], shares: 0 }
    progress.end()
    if (shares > 0) progress.say(translate('cli.sharing.newLinks', { count: shares }))
    for (const problem of problems) progress.say(problem)
    sayWhatStays(progress, manifest, restorer)
    const equal = equalHashes(packed, worked)
    const trashed = manifest.images.length - packed.length
    if (asJson) reportJson(io, worked, { equalHashes: equal, leftOut: trashed, shares, problems })
    const tally = tallyLine('images', worked)
    progress.say(trashed > 0 ? translate('cli.outcome.inTrashSkipped', { tally, count: trashed }) : tally)
    progress.say(translate('cli.transfer.hashesEqual', { equal, total: packed.length }))
    const code = chooseExitCode(io, progress, worked)
    return code === exitCodes.done && problems.length > 0 ? exitCodes.failed : code
  })
}

interface Uploaded {
  readonly manifest: ReadManifest
  readonly packed: readonly Packed[]
  readonly worked: Worked<Sent>
  readonly restorer: DetailsRestorer
}

/** Restores the rest of the details, and then albums, saved searches and shares. */
async function restore(
  connection: ServerConnection,
  { manifest, packed, worked, restorer }: Uploaded,
): Promise<{ readonly problems: readonly string[]; readonly shares: number }> {
  await restorer.flush()
  if (restorer.isOldServer) return { problems: restorer.problems, shares: 0 }
  const ids = worked.reported.flatMap(({ outcome }, index) => {
    const image = packed[index]?.image
    return image && 'id' in outcome ? [[image.id, outcome.id] as const] : []
  })
  const { problems, shares } = await restoreLibrary(connection, manifest, new Map(ids))
  return { problems: [...restorer.problems, ...problems], shares }
}

/** Says what of an export this command or the server does not know: it stays in the export, for a later version. */
function sayWhatStays(progress: Progress, { unknown }: ReadManifest, { isOldServer }: DetailsRestorer): void {
  if (unknown.length > 0) progress.say(translate('cli.albums.unknown', { names: unknown.join(', ') }))
  if (isOldServer) progress.say(translate('cli.albums.oldServer'))
}

/** Counts the images that have the same hash on the server as in the export. */
function equalHashes(packed: readonly Packed[], { reported }: Worked<Sent>): number {
  return reported.filter(({ outcome }, index) => 'sha256' in outcome && outcome.sha256 === packed[index]?.image.sha256)
    .length
}
