import { basename, dirname, relative, resolve, sep } from 'node:path'
import { translate } from '#messages/translate.ts'
import { toTitle } from '#server/images/names.ts'
import type { Io } from '../command.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { withServer } from '../connection/with-server.ts'
import { findOrCreateAlbum } from '../files/albums.ts'
import { deliver, type Sent, type Shipment } from '../files/deliver.ts'
import { fileWorked } from '../files/file-images.ts'
import { findFiles } from '../files/find-files.ts'
import type { Journal } from '../files/journal.ts'
import { DetailsRestorer } from '../files/restore-details.ts'
import type { Worked } from '../files/work-through.ts'
import { chooseExitCode, reportJson, tallyLine } from '../terminal/report.ts'
import { newFailures, type SendingOptions } from './upload.ts'

export interface FolderOptions extends SendingOptions {
  /** Whether each folder becomes an album. */
  readonly withAlbums: boolean
  /** Whether images are as old as their files. */
  readonly withDates: boolean
}

/** Uploads the images in a folder. Each folder becomes an album, in the order of its files, and images get the dates of their
 *  files. */
export function importFolder(io: Io, folder: string, options: FolderOptions): Promise<number> {
  return withServer(io, options, async (connection, progress) => {
    const { withAlbums, withDates, asJson } = options
    const mayChange = connection.scopes.includes('manage') && connection.scopes.includes('read')
    if (!mayChange && (withAlbums || withDates)) progress.say(translate('cli.albums.uploadsOnly'))
    const input = () => Promise.reject(new Error('a folder is no standard input'))
    const { found, leftOut } = await findFiles([folder], { signal: io.signal, input })
    const restorer = mayChange && withDates ? new DetailsRestorer(connection) : null
    const finish = restorer && {
      finish: (shipment: Shipment, { id }: Sent, journal: Journal) =>
        restorer.add({ id, label: shipment.label, mark: shipment, journal, image: datedBy(shipment) }),
    }
    const sent = await deliver(io, found, { connection, progress, ...options, ...finish })
    if (sent.ended === null) await restorer?.flush()
    for (const line of restorer?.problems ?? []) progress.say(line)
    const { worked, albums } =
      mayChange && withAlbums ? await fileByFolder(connection, folder, found, sent) : { worked: sent, albums: 0 }
    progress.end()
    for (const line of newFailures(sent, worked)) progress.say(line)
    if (asJson) reportJson(io, worked, { leftOut, albums })
    if (albums > 0) progress.say(translate('cli.albums.filed', { count: albums }))
    const tally = tallyLine('files', worked)
    progress.say(leftOut > 0 ? translate('cli.outcome.othersSkipped', { tally, count: leftOut }) : tally)
    return chooseExitCode(io, progress, worked)
  })
}

const datedBy = ({ name, mtimeMs }: Shipment) => {
  return { title: toTitle(name), filename: name, createdAt: new Date(mtimeMs).toISOString() }
}

interface Filed {
  readonly worked: Worked<Sent>
  /** How many albums there are. */
  readonly albums: number
}

/** Adds the images of each folder to an album of its name. */
async function fileByFolder(
  connection: ServerConnection,
  root: string,
  shipments: readonly Shipment[],
  sent: Worked<Sent>,
): Promise<Filed> {
  if (sent.ended !== null) return { worked: sent, albums: 0 }
  const titles = shipments.map(({ path }) => nameAlbum(resolve(root), dirname(path)))
  let worked = sent
  const filed = new Set<string>()
  for (const title of new Set(titles)) {
    const isHere = (index: number) => titles[index] === title
    if (!worked.reported.some(({ outcome }, index) => isHere(index) && 'id' in outcome)) continue
    const { id } = await findOrCreateAlbum(connection, title)
    worked = await fileWorked(connection, worked, { album: id, tags: [] }, isHere)
    if (worked.ended !== null) break
    filed.add(title)
  }
  return { worked, albums: filed.size }
}

/** Returns the name of a folder's album: its own for the one that is imported, else its path below that. */
function nameAlbum(root: string, folder: string): string {
  return folder === root ? basename(root) || root : relative(root, folder).split(sep).join('/')
}
