import { openAsBlob } from 'node:fs'
import { formatBytes } from '#format/bytes.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-image.ts'
import type { Visibility } from '../arguments.ts'
import type { Io } from '../command.ts'
import { watchBody } from '../connection/api.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed, isBeyondToken } from '../connection/server-error.ts'
import { stateFolder } from '../connection/settings.ts'
import type { Progress } from '../terminal/progress.ts'
import { outcomeLine } from '../terminal/report.ts'
import { hashOf } from './hash-of.ts'
import { type FileMark, Journal, type JournaledImage, type StoredFile } from './journal.ts'
import { StoredImages } from './stored-images.ts'
import { type Worked, workThrough } from './work-through.ts'

/** A file to be sent. */
export interface Shipment extends FileMark {
  /** What people know it by. */
  readonly label: string
  /** Under which the image is kept. */
  readonly name: string
  /** For an image that is not there yet. */
  readonly visibility?: Visibility | undefined
  /** Why it cannot be sent; said in its turn. */
  readonly problem?: string
  /** Opens its bytes, anew for each attempt; those of the file at its path where nothing is said. */
  open?(): Promise<Blob>
  /** Lets go of what was opened. */
  close?(): Promise<void>
  /** What its bytes must be, in hexadecimal. */
  readonly sha256?: string
}

/** What became of one that did not fail. */
export interface Sent extends JournaledImage {
  /** `changed`: it was there, and is seen by others now. */
  readonly state: 'stored' | 'there' | 'changed'
}

export interface Delivery {
  readonly connection: ServerConnection
  readonly progress: Progress
  /** Files under way at a time. */
  readonly parallel: number
  readonly asJson: boolean
  /** Who may see all of them, those too that are there already; undefined where nothing is asked for. */
  readonly visibility: Visibility | undefined
  /** What else belongs to a file, done before it counts as stored. */
  finish?(shipment: Shipment, answer: UploadAnswer): Promise<void>
}

interface Sending extends Delivery {
  readonly journal: Journal
  readonly there: StoredImages
}

/** Sends files, each once: what the journal holds and the server still has is not sent again. Prints the address of each in
 *  their order, as soon as those before it are told of. */
export async function deliver(io: Io, shipments: readonly Shipment[], delivery: Delivery): Promise<Worked<Sent>> {
  const { connection, progress, parallel, asJson } = delivery
  const journal = await Journal.open(stateFolder(io.env), connection, ({ message }) =>
    progress.say(`What is stored cannot be written down, and a second run sends it again: ${message}.`),
  )
  const sending = { ...delivery, journal, there: new StoredImages(connection) }
  for (const { size } of shipments) progress.expect(size)
  return workThrough(shipments, {
    parallel,
    labelOf: ({ label }) => label,
    work: (shipment) => send(shipment, sending).finally(() => shipment.close?.()),
    tell: ({ label, outcome }) => {
      if (outcome.state !== 'left') progress.say(outcomeLine(label, outcome))
      if ('url' in outcome && !asJson) progress.print(outcome.url)
    },
  })
}

async function send(shipment: Shipment, sending: Sending): Promise<Sent> {
  const { path, size, mtimeMs } = shipment
  const { journal, there, progress, connection } = sending
  const problem = shipment.problem ?? problemOfSize(size, connection)
  if (problem !== null) throw new ItemFailed(problem)
  const unchanged = journal.ofFile(shipment)
  const sha256 = unchanged?.sha256 ?? (await hashOf(await opened(shipment)))
  const before = unchanged ?? journal.ofBytes(sha256)
  if (shipment.sha256 !== undefined && shipment.sha256 !== sha256)
    throw new ItemFailed('The file is not the one that the export says.')
  const image = before && (await stillThere(before, there))
  if (image) {
    progress.begin(shipment.label, size).end(true)
    const { state, ...kept } = await asAsked(image, sending)
    if (!unchanged || state === 'changed') await journal.add({ path, size, mtimeMs, sha256, image: kept })
    return { state, ...kept }
  }
  const answer = await upload(shipment, sending)
  await sending.finish?.(shipment, answer)
  const sent = sentImage(answer)
  await journal.add({ path, size, mtimeMs, sha256, image: sent })
  return { state: 'stored', ...sent }
}

/** Told before a file is read: one that an archive announces may be larger than the disk. */
function problemOfSize(size: number, { maxBytes }: ServerConnection): string | null {
  if (size === 0) return 'The file is empty.'
  return size > maxBytes ? `The file is larger than the ${formatBytes(maxBytes)} that this site takes.` : null
}

/** The image that a file became, if the server still has it; whoever may only upload believes that. */
async function stillThere({ image }: StoredFile, there: StoredImages): Promise<JournaledImage | null> {
  const found = await there.find(image.id)
  if (found === 'unknown') return image
  return found && sentItem(found)
}

/** An image that is there, seen by whom it is asked to be seen by. */
async function asAsked(image: JournaledImage, { visibility, connection }: Sending): Promise<Sent> {
  if (visibility === undefined || visibility === image.visibility) return { state: 'there', ...image }
  const { api, patience, signal } = connection
  try {
    const changed = await patience.run(() => api.image.update.mutate({ id: image.id, visibility }, { signal }))
    return { state: 'changed', ...(sentItem(changed) ?? image), visibility }
  } catch (error) {
    if (!isBeyondToken(error)) throw error
    throw new ItemFailed(`It is there already, and is ${image.visibility}: this token may not change that.`)
  }
}

/** Null of one that is not one's own. */
function sentItem({ slug, url, sha256, ...item }: ImageItem): JournaledImage | null {
  return slug === null || url === null || sha256 === null ? null : sentImage({ ...item, slug, url, sha256 })
}

const sentImage = ({ id, slug, url, filename, sha256, size, mime, visibility }: JournaledImage): JournaledImage => {
  return { id, slug, url, filename, sha256, size, mime, visibility }
}

async function upload(shipment: Shipment, { connection, progress, ...sending }: Sending): Promise<UploadAnswer> {
  const { api, patience, signal } = connection
  const visibility = sending.visibility ?? shipment.visibility
  const headers = {
    'x-file-name': encodeURIComponent(shipment.name),
    ...(visibility && { 'x-visibility': visibility }),
  }
  return patience.run(async () => {
    const body = await opened(shipment)
    const step = progress.begin(shipment.label, body.size)
    try {
      const answer = await api.image.upload.mutate(watchBody(body, step.moved), { signal, context: { headers } })
      step.end(true)
      return answer
    } catch (error) {
      step.end(false)
      throw error
    }
  })
}

async function opened({ path, open = () => openAsBlob(path) }: Shipment): Promise<Blob> {
  try {
    return await open()
  } catch (error) {
    throw error instanceof ItemFailed ? error : new ItemFailed('The file cannot be read.', { cause: error })
  }
}
