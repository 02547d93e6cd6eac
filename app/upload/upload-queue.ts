import type { Refusal } from '#app/limits/refusal.ts'

/** What the server answers to an upload. */
export interface Uploaded {
  readonly id: string
  readonly slug: string
  readonly url: string
  readonly thumbnailUrl: string
}

export type Progress =
  | { readonly state: 'waiting' }
  | { readonly state: 'sending'; readonly sent: number }
  | { readonly state: 'done'; readonly image: Uploaded }
  | { readonly state: 'failed'; readonly reason: string; readonly canRetry: boolean }

export interface Upload {
  readonly id: string
  readonly file: File
  readonly progress: Progress
}

/** Files on their way, in the order they were given. `hold` is the limit that stops new ones from starting. */
export interface Queue {
  readonly uploads: readonly Upload[]
  readonly hold: Refusal | null
}

export type Event =
  | { readonly type: 'added'; readonly uploads: readonly Upload[] }
  | { readonly type: 'started'; readonly id: string }
  | { readonly type: 'sent'; readonly id: string; readonly sent: number }
  | { readonly type: 'done'; readonly id: string; readonly image: Uploaded }
  | { readonly type: 'failed'; readonly id: string; readonly reason: string; readonly canRetry: boolean }
  | { readonly type: 'refused'; readonly id: string; readonly refusal: Refusal }
  | { readonly type: 'retried'; readonly id: string }
  | { readonly type: 'removed'; readonly id: string }
  | { readonly type: 'resumed' }
  | { readonly type: 'cleared' }

export const emptyQueue: Queue = { uploads: [], hold: null }

export function reduceQueue(queue: Queue, event: Event): Queue {
  switch (event.type) {
    case 'added':
      return { ...queue, uploads: [...queue.uploads, ...event.uploads] }
    case 'started':
      return put(queue, event.id, { state: 'sending', sent: 0 })
    case 'sent':
      return put(queue, event.id, { state: 'sending', sent: event.sent })
    case 'done':
      return put(queue, event.id, { state: 'done', image: event.image })
    case 'failed':
      return put(queue, event.id, { state: 'failed', reason: event.reason, canRetry: event.canRetry })
    case 'refused':
      return { ...put(queue, event.id, { state: 'waiting' }), hold: later(queue.hold, event.refusal) }
    case 'retried':
      return put(queue, event.id, { state: 'waiting' })
    case 'removed':
      return { ...queue, uploads: queue.uploads.filter(({ id }) => id !== event.id) }
    case 'resumed':
      return { ...queue, hold: null }
    case 'cleared':
      return { ...queue, uploads: queue.uploads.filter(({ progress }) => isOpen(progress)) }
  }
}

/** The uploads to start now: the first that wait, while fewer than `atOnce` are under way and no limit holds them. */
export function toStart({ uploads, hold }: Queue, atOnce: number): readonly Upload[] {
  if (hold) return []
  const sending = uploads.filter(({ progress }) => progress.state === 'sending').length
  return uploads.filter(({ progress }) => progress.state === 'waiting').slice(0, Math.max(0, atOnce - sending))
}

const rank = { sending: 0, failed: 1, waiting: 2, done: 3 } satisfies Record<Progress['state'], number>

/** The uploads as they are shown: what moves and what went wrong first, what is done last. */
export function inOrderOfInterest({ uploads }: Queue): readonly Upload[] {
  return uploads.toSorted((one, other) => rank[one.progress.state] - rank[other.progress.state])
}

export interface Summary {
  readonly total: number
  readonly done: number
  readonly failed: number
  /** Waiting or under way. */
  readonly open: number
  /** Share of the bytes that have gone, 0 to 1. */
  readonly fraction: number
}

export function summarise({ uploads }: Queue): Summary {
  const counted = (state: Progress['state']) => uploads.filter(({ progress }) => progress.state === state).length
  const bytes = uploads.reduce((sum, { file }) => sum + file.size, 0)
  const sent = uploads.reduce((sum, upload) => sum + sentOf(upload), 0)
  return {
    total: uploads.length,
    done: counted('done'),
    failed: counted('failed'),
    open: counted('waiting') + counted('sending'),
    fraction: bytes === 0 ? 0 : Math.min(1, sent / bytes),
  }
}

function sentOf({ file, progress }: Upload): number {
  if (progress.state === 'waiting') return 0
  return progress.state === 'sending' ? progress.sent : file.size
}

/** A cancelled upload is gone: what its request still reports changes nothing. */
function put(queue: Queue, id: string, progress: Progress): Queue {
  return { ...queue, uploads: queue.uploads.map((upload) => (upload.id === id ? { ...upload, progress } : upload)) }
}

const isOpen = ({ state }: Progress): boolean => state === 'waiting' || state === 'sending'

const later = (one: Refusal | null, other: Refusal): Refusal => (one && one.until > other.until ? one : other)
