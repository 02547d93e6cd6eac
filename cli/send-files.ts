import { openAsBlob } from 'node:fs'
import pLimit from 'p-limit'
import type { UploadAnswer } from '#server/images/upload-image.ts'
import { watchBody } from './api.ts'
import type { Visibility } from './arguments.ts'
import type { Connection } from './connection.ts'
import { hashOf } from './hash-of.ts'
import type { FileMark, Journal, SentImage, StoredFile } from './journal.ts'
import type { Progress } from './progress.ts'
import { ItemFailed } from './server-error.ts'
import { StoredImages } from './stored-images.ts'

/** A file to be sent. */
export interface Shipment extends FileMark {
  /** What people know it by. */
  readonly label: string
  /** Under which the image is kept. */
  readonly name: string
  readonly visibility?: Visibility | undefined
  /** Opens it, anew for each attempt; the file's own bytes where nothing is said. */
  open?(): Promise<Blob>
}

/** What became of one. */
export type Outcome =
  | { readonly state: 'stored' | 'there'; readonly image: SentImage }
  | { readonly state: 'failed'; readonly reason: string }
  /** Not sent, or broken off. */
  | { readonly state: 'left' }

interface Sending {
  readonly connection: Connection
  readonly journal: Journal
  readonly progress: Progress
  /** Files under way at a time. */
  readonly parallel: number
  /** Told of each that is over, as they come. */
  onOutcome(index: number, outcome: Outcome): void
  /** What else belongs to a file, done before it counts as stored. */
  finish?(shipment: Shipment, answer: UploadAnswer): Promise<void>
}

/** Sends files, each once: what the journal holds and the server still has is not sent again. Whatever ends the command as a
 *  whole ends it here too, and the rest is left; it is answered beside the outcomes. */
export async function sendFiles(
  shipments: readonly Shipment[],
  sending: Sending,
): Promise<{ outcomes: readonly Outcome[]; ended: unknown }> {
  const outcomes = shipments.map((): Outcome => ({ state: 'left' }))
  const there = new StoredImages(sending.connection)
  const places = pLimit(sending.parallel)
  let ended: unknown = null
  for (const { size } of shipments) sending.progress.expect(size)
  const send = async (shipment: Shipment, index: number) => {
    if (ended !== null) return
    try {
      outcomes[index] = await sendOne(shipment, sending, there)
    } catch (error) {
      if (!(error instanceof ItemFailed)) {
        ended ??= error
        return
      }
      outcomes[index] = { state: 'failed', reason: error.message }
      sending.progress.begin(shipment.label, shipment.size).end(true)
    }
    sending.onOutcome(index, outcomes[index] ?? { state: 'left' })
  }
  await Promise.all(shipments.map((shipment, index) => places(send, shipment, index)))
  return { outcomes, ended }
}

async function sendOne(shipment: Shipment, sending: Sending, there: StoredImages): Promise<Outcome> {
  const { journal, progress } = sending
  const { path, size, mtimeMs } = shipment
  if (size === 0) throw new ItemFailed('The file is empty.')
  const unchanged = journal.ofFile(shipment)
  const sha256 = unchanged?.sha256 ?? (await hashOf(await opened(shipment)))
  const before = unchanged ?? journal.ofBytes(sha256)
  const image = before && (await stillThere(before, there))
  if (image) {
    progress.begin(shipment.label, size).end(true)
    if (!unchanged) await journal.add({ path, size, mtimeMs, sha256, image })
    return { state: 'there', image }
  }
  const answer = await upload(shipment, sending)
  await sending.finish?.(shipment, answer)
  const sent = sentImage(answer)
  await journal.add({ path, size, mtimeMs, sha256, image: sent })
  return { state: 'stored', image: sent }
}

/** The image that a file became, if the server still has it; whoever may only upload believes that. */
async function stillThere({ image }: StoredFile, there: StoredImages): Promise<SentImage | null> {
  const found = await there.find(image.id)
  if (found === 'unknown') return image
  const { slug = null, url = null, sha256 = null } = found ?? {}
  if (found === null || slug === null || url === null || sha256 === null) return null
  return sentImage({ ...found, slug, url, sha256 })
}

const sentImage = ({ id, slug, url, sha256, size, mime, visibility }: SentImage): SentImage => {
  return { id, slug, url, sha256, size, mime, visibility }
}

async function upload(shipment: Shipment, { connection, progress }: Sending): Promise<UploadAnswer> {
  const { api, patience, signal } = connection
  const headers = {
    'x-file-name': encodeURIComponent(shipment.name),
    ...(shipment.visibility && { 'x-visibility': shipment.visibility }),
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

function opened({ path, open }: Shipment): Promise<Blob> {
  return open
    ? open()
    : openAsBlob(path).catch((error: unknown) => {
        throw new ItemFailed('The file cannot be read.', { cause: error })
      })
}
