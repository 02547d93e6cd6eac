import type { QueuedUpload, UploadProgress, UploadQueue } from './upload-queue.ts'

const rank = { sending: 0, failed: 1, waiting: 2, done: 3 } satisfies Record<UploadProgress['state'], number>

/** The uploads as they are shown: what moves and what went wrong first, what is done last. */
export function inOrderOfInterest({ uploads }: UploadQueue): readonly QueuedUpload[] {
  return uploads.toSorted((one, other) => rank[one.progress.state] - rank[other.progress.state])
}

/** What files wait for, if not for their turn. */
export type HeldBy = 'sign-in' | 'server' | 'limit'

export function heldByOf({ hold, outage, isSignedOut }: UploadQueue): HeldBy | null {
  if (isSignedOut) return 'sign-in'
  if (outage && !outage.isAnswering) return 'server'
  return hold && 'limit'
}

export interface Summary {
  readonly total: number
  readonly done: number
  /** Images among what is done: two equal files are one image. */
  readonly images: number
  readonly failed: number
  /** Waiting or under way. */
  readonly open: number
  /** Share of the bytes that have gone, 0 to 1; of what failed none have, and none will. */
  readonly fraction: number
}

/** Sums up the present batch while something is open, and all that is shown once nothing is. */
export function summarise({ uploads: all, earlier }: UploadQueue): Summary {
  const isBusy = all.some(({ progress }) => progress.state === 'waiting' || progress.state === 'sending')
  const uploads = isBusy ? all.filter(({ id }) => !earlier.has(id)) : all
  const counted = (state: UploadProgress['state']) => uploads.filter(({ progress }) => progress.state === state).length
  const travelling = uploads.filter(({ progress }) => progress.state !== 'failed')
  const bytes = travelling.reduce((sum, { file }) => sum + file.size, 0)
  const sent = travelling.reduce((sum, upload) => sum + sentOf(upload), 0)
  return {
    total: uploads.length,
    done: counted('done'),
    images: uploads.filter(({ progress }) => progress.state === 'done' && !progress.isRepeat).length,
    failed: counted('failed'),
    open: counted('waiting') + counted('sending'),
    fraction: bytes === 0 ? 0 : Math.min(1, sent / bytes),
  }
}

/** The links of what has arrived, each once. */
export function linksOf({ uploads }: UploadQueue): readonly string[] {
  return uploads.flatMap(({ progress }) =>
    progress.state === 'done' && !progress.isRepeat ? [progress.image.url] : [],
  )
}

/** How many files failed and may be tried again, and how many are still to be had: those, and what is open. */
export function leftOver({ uploads }: UploadQueue): { retriable: number; missing: number } {
  const retriable = uploads.filter(({ progress }) => progress.state === 'failed' && progress.canRetry).length
  const open = uploads.filter(({ progress }) => progress.state === 'waiting' || progress.state === 'sending').length
  return { retriable, missing: retriable + open }
}

function sentOf({ file, progress }: QueuedUpload): number {
  if (progress.state === 'waiting') return 0
  return progress.state === 'sending' ? progress.sent : file.size
}
