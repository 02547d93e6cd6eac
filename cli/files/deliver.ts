import { openAsBlob } from 'node:fs'
import { translate } from '#messages/translate.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import type { UploadAnswer } from '#server/images/uploading/upload-answer.ts'
import type { Visibility } from '../arguments.ts'
import type { Io } from '../command.ts'
import { watchBody } from '../connection/api.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed, isBeyondToken } from '../connection/server-error.ts'
import { stateFolder } from '../connection/settings.ts'
import type { Progress } from '../terminal/progress.ts'
import { outcomeLine } from '../terminal/report.ts'
import { hashBlob } from './hash-blob.ts'
import { type FileMark, Journal, type JournaledImage, type StoredFile } from './journal.ts'
import { StoredImages } from './stored-images.ts'
import { type Worked, workThrough } from './work-through.ts'

/** A file to upload. */
export interface Shipment extends FileMark {
  /** Its name in messages: the argument, or the path in the export. */
  readonly label: string
  /** The file name of the image. */
  readonly name: string
  /** For an image that is new on the server. */
  readonly visibility?: Visibility | undefined
  /** Why it cannot be uploaded; reported in its turn. */
  readonly problem?: string
  /** Opens its bytes, once per attempt; by default the file at its path. */
  open?(): Promise<Blob>
  /** Releases what was opened. */
  close?(): Promise<void>
  /** The expected hash, in hexadecimal. */
  readonly sha256?: string
}

/** The outcome of a file that did not fail. */
export interface Sent extends JournaledImage {
  /** `changed`: it was there, and has another visibility now. */
  readonly state: 'stored' | 'there' | 'changed'
  /** The type of a file that the server has converted. */
  readonly convertedFrom?: string
}

export interface Delivery {
  readonly connection: ServerConnection
  readonly progress: Progress
  /** Files transferred at a time. */
  readonly parallel: number
  readonly asJson: boolean
  /** The visibility of all of them, including images that are already there; undefined leaves it unchanged. */
  readonly visibility: Visibility | undefined
  /** Called for each image that is stored or was there, once the journal has it. */
  finish?(shipment: Shipment, sent: Sent, journal: Journal): Promise<void>
}

interface Sending extends Omit<Delivery, 'finish'> {
  readonly journal: Journal
  readonly there: StoredImages
}

/** Uploads files, each once: a file in the journal that the server still has is not sent again. Prints the address of each, in
 *  their order, as soon as all before it are reported. */
export async function deliver(io: Io, shipments: readonly Shipment[], delivery: Delivery): Promise<Worked<Sent>> {
  const { connection, progress, parallel, asJson } = delivery
  const journal = await Journal.open(stateFolder(io.env), connection, ({ message }) =>
    progress.say(translate('cli.transfer.journalFailed', { error: message })),
  )
  const sending = { ...delivery, journal, there: new StoredImages(connection) }
  for (const { size } of shipments) progress.expect(size)
  return workThrough(shipments, {
    parallel,
    getLabel: ({ label }) => label,
    work: async (shipment) => {
      const sent = await send(shipment, sending).finally(() => shipment.close?.())
      await delivery.finish?.(shipment, sent, journal)
      return sent
    },
    report: ({ label, outcome }) => {
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
  const sha256 = unchanged?.sha256 ?? (await hashBlob(await opened(shipment)))
  const before = unchanged ?? journal.ofBytes(sha256)
  if (shipment.sha256 !== undefined && shipment.sha256 !== sha256)
    throw new ItemFailed(translate('cli.transfer.wrongHash'))
  const image = before && (await stillThere(before, there))
  if (image) {
    progress.begin(shipment.label, size).end(true)
    const { state, ...kept } = await withVisibility(image, sending)
    if (!unchanged || state === 'changed') await journal.add({ path, size, mtimeMs, sha256, image: kept })
    return { state, ...kept }
  }
  const answer = await upload(shipment, sending)
  const sent = sentImage(answer)
  await journal.add({ path, size, mtimeMs, sha256, image: sent })
  return { state: 'stored', ...sent, ...(answer.convertedFrom && { convertedFrom: answer.convertedFrom }) }
}

/** Checked before a file is read: an archive may declare one that is larger than the disk. */
function problemOfSize(size: number, { maxBytes }: ServerConnection): string | null {
  if (size === 0) return translate('cli.transfer.empty')
  return size > maxBytes ? translate('cli.transfer.tooLarge', { size: { bytes: maxBytes } }) : null
}

/** Returns the image of an uploaded file if the server still has it; assumed for a token that may only upload. */
async function stillThere({ image }: StoredFile, there: StoredImages): Promise<JournaledImage | null> {
  const found = await there.find(image.id)
  if (found === 'unknown') return image
  return found && sentItem(found)
}

/** Gives an image that is already there the requested visibility. */
async function withVisibility(image: JournaledImage, { visibility, connection }: Sending): Promise<Sent> {
  if (visibility === undefined || visibility === image.visibility) return { state: 'there', ...image }
  const { api, patience, signal } = connection
  try {
    const changed = await patience.run(() => api.image.update.mutate({ id: image.id, visibility }, { signal }))
    return { state: 'changed', ...(sentItem(changed) ?? image), visibility }
  } catch (error) {
    if (!isBeyondToken(error)) throw error
    throw new ItemFailed(translate('cli.transfer.alreadyThere', { visibility: image.visibility }))
  }
}

/** Returns null for an image of another user. */
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
    throw error instanceof ItemFailed ? error : new ItemFailed(translate('cli.transfer.unreadable'), { cause: error })
  }
}
