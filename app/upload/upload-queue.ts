import type { RefusedCall } from '#app/limits/refusal.ts'
import { afterLoss, prolonged, type UploadOutage } from './outage.ts'
import type { UploadProblem } from './problem.ts'

/** The server's answer to an upload. */
export interface Uploaded {
  readonly id: string
  readonly slug: string
  readonly url: string
  readonly thumbnailUrl: string
  /** False for an image that the account had before. */
  readonly isNew: boolean
  /** The kinds of metadata removed from the file. */
  readonly removed: readonly string[]
  /** The server has converted the file to another format. */
  readonly isConverted: boolean
}

export type UploadProgress =
  | { readonly state: 'waiting' }
  | { readonly state: 'sending'; readonly sent: number }
  /** By the user. It is sent from its beginning when it is resumed. */
  | { readonly state: 'paused' }
  /** `isRepeat`: an earlier file of the queue is the same image. */
  | { readonly state: 'done'; readonly image: Uploaded; readonly isRepeat: boolean }
  | { readonly state: 'failed'; readonly problem: UploadProblem; readonly canRetry: boolean }

type Failed = Extract<UploadProgress, { state: 'failed' }>

export interface QueuedUpload {
  readonly id: string
  readonly file: File
  readonly progress: UploadProgress
  /** The ID of the album that it goes into. */
  readonly album?: string | null
  /** How often its connection broke. */
  readonly breaks?: number
}

/** Files to upload, in the order they were added. No file is started while `hold`, a limit, `outage` or `isSignedOut` pauses
 *  the queue. */
export interface UploadQueue {
  readonly uploads: readonly QueuedUpload[]
  readonly hold: RefusedCall | null
  readonly outage: UploadOutage | null
  readonly isSignedOut: boolean
  /** Uploads that had ended when the current batch began. */
  readonly earlier: ReadonlySet<string>
}

export type Event =
  | { readonly type: 'added'; readonly uploads: readonly QueuedUpload[] }
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'sent'; readonly id: string; readonly sent: number }
  | { readonly type: 'done'; readonly id: string; readonly image: Uploaded }
  | ({ readonly type: 'failed'; readonly id: string } & Omit<Failed, 'state'>)
  | { readonly type: 'refused'; readonly id: string; readonly refusal: RefusedCall }
  | { readonly type: 'signedOut'; readonly id: string }
  | { readonly type: 'signedIn' }
  /** The connection broke (`isBroken`), or the server was unavailable. */
  | { readonly type: 'lost'; readonly id: string; readonly isBroken: boolean; readonly retryAfterMs: number }
  | { readonly type: 'probed'; readonly isReachable: boolean }
  | { readonly type: 'retried'; readonly id: string }
  | { readonly type: 'allRetried' }
  /** One upload, or all that are not done; a null `id` is all. */
  | { readonly type: 'paused'; readonly id: string | null }
  | { readonly type: 'unpaused'; readonly id: string | null }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'resumed' }
  | { readonly type: 'emptied' }

export const emptyQueue: UploadQueue = { uploads: [], hold: null, outage: null, isSignedOut: false, earlier: new Set() }

// A file that breaks its connection each time, for example because it was moved, must not block the others forever.
const mostBreaks = 5

export function reduceQueue(queue: UploadQueue, event: Event): UploadQueue {
  switch (event.type) {
    case 'added':
      return { ...queue, uploads: [...queue.uploads, ...event.uploads], earlier: earlierThanNow(queue) }
    case 'started':
      return put(queue, event.id, { state: 'sending', sent: 0 })
    case 'sent':
      return set(queue, ({ id, progress }) => id === event.id && progress.state === 'sending', {
        state: 'sending',
        sent: event.sent,
      })
    case 'done':
      return { ...put(queue, event.id, doneAs(queue, event)), outage: null }
    case 'failed': {
      const { type, id, ...why } = event
      return { ...put(queue, id, { state: type, ...why }), outage: null }
    }
    case 'refused':
      return { ...put(queue, event.id, { state: 'waiting' }), hold: later(queue.hold, event.refusal), outage: null }
    case 'signedOut':
      return { ...put(queue, event.id, waiting), isSignedOut: true, outage: null }
    case 'signedIn':
      return { ...queue, isSignedOut: false }
    case 'lost':
      return lose(queue, event)
    case 'probed':
      if (!queue.outage) return queue
      return event.isReachable
        ? { ...queue, outage: { ...queue.outage, isAnswering: true } }
        : orGiveUp(queue, prolonged(queue.outage))
    case 'retried':
      return retry(queue, ({ id }) => id === event.id)
    case 'allRetried':
      return retry(queue, ({ progress }) => progress.state === 'failed' && progress.canRetry)
    case 'paused':
      return set(queue, ({ id, progress }) => isMoving(progress) && isNamed(event, id), { state: 'paused' })
    case 'unpaused':
      return retry(queue, ({ id, progress }) => progress.state === 'paused' && isNamed(event, id))
    case 'removed': {
      const uploads = queue.uploads.filter(({ id }) => id !== event.id)
      if (!uploads.some(isOpen)) return { ...queue, uploads, outage: null, isSignedOut: false }
      return { ...queue, uploads }
    }
    case 'resumed':
      return { ...queue, hold: null }
    case 'emptied':
      return { ...emptyQueue, hold: queue.hold }
  }
}

/**
 * Returns the uploads to start now: the first waiting ones, while fewer than `atOnce` are in progress and the queue is
 * not paused.
 */
export function toStart({ uploads, hold, outage, isSignedOut }: UploadQueue, atOnce: number): readonly QueuedUpload[] {
  if (hold || isSignedOut || (outage && !outage.isAnswering)) return []
  const sending = uploads.filter(({ progress }) => progress.state === 'sending').length
  return uploads.filter(({ progress }) => progress.state === 'waiting').slice(0, Math.max(0, atOnce - sending))
}

/** Sets the progress of an upload. Events of a cancelled upload change nothing. */
const put = (queue: UploadQueue, id: string, progress: UploadProgress): UploadQueue =>
  set(queue, (upload) => upload.id === id, progress)

function set(queue: UploadQueue, isMeant: (upload: QueuedUpload) => boolean, progress: UploadProgress): UploadQueue {
  return { ...queue, uploads: queue.uploads.map((upload) => (isMeant(upload) ? { ...upload, progress } : upload)) }
}

const isNamed = (event: { readonly id: string | null }, id: string): boolean => event.id === null || event.id === id

function doneAs({ uploads }: UploadQueue, { id, image }: { id: string; image: Uploaded }): UploadProgress {
  const isRepeat = uploads.some(
    (other) => other.id !== id && other.progress.state === 'done' && other.progress.image.id === image.id,
  )
  return { state: 'done', image, isRepeat }
}

function lose(
  queue: UploadQueue,
  { id, isBroken, retryAfterMs }: { id: string; isBroken: boolean; retryAfterMs: number },
) {
  const lost = queue.uploads.find((upload) => upload.id === id)
  if (!lost) return queue
  const breaks = (lost.breaks ?? 0) + (isBroken ? 1 : 0)
  if (breaks >= mostBreaks)
    return { ...put(queue, id, { state: 'failed', problem: { code: 'connectionLost' }, canRetry: true }), outage: null }
  const uploads = queue.uploads.map((upload) => (upload === lost ? { ...lost, breaks, progress: waiting } : upload))
  return orGiveUp({ ...queue, uploads }, afterLoss(queue.outage, retryAfterMs))
}

function orGiveUp(queue: UploadQueue, outage: UploadOutage | null): UploadQueue {
  if (outage) return { ...queue, outage }
  const failed: UploadProgress = { state: 'failed', problem: { code: 'unreachable' }, canRetry: true }
  const uploads = queue.uploads.map((upload) =>
    upload.progress.state === 'waiting' ? { ...upload, progress: failed } : upload,
  )
  return { ...queue, uploads, outage: null }
}

function retry(queue: UploadQueue, isMeant: (upload: QueuedUpload) => boolean): UploadQueue {
  const meant = new Set(queue.uploads.filter(isMeant).map(({ id }) => id))
  const uploads = queue.uploads.map((upload) =>
    meant.has(upload.id) ? { ...upload, breaks: 0, progress: waiting } : upload,
  )
  return { ...queue, uploads, earlier: queue.earlier.difference(meant) }
}

/** Files added while others are open join their batch; otherwise they begin a new one. */
const earlierThanNow = ({ uploads, earlier }: UploadQueue): ReadonlySet<string> =>
  uploads.some(isOpen) ? earlier : new Set(uploads.map(({ id }) => id))

const waiting: UploadProgress = { state: 'waiting' }
/** Waiting or in progress. */
export const isMoving = ({ state }: UploadProgress): boolean => state === 'waiting' || state === 'sending'
const isOpen = ({ progress }: QueuedUpload): boolean => isMoving(progress) || progress.state === 'paused'
const later = (one: RefusedCall | null, other: RefusedCall): RefusedCall =>
  one && one.until > other.until ? one : other
