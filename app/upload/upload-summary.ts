import { isMoving, type QueuedUpload, type UploadProgress, type UploadQueue } from './upload-queue.ts'

const rank = { sending: 0, failed: 1, paused: 2, waiting: 3, done: 4 } satisfies Record<UploadProgress['state'], number>

/** Sorts the uploads for display: those in progress and the failed first, the done last. */
export function inDisplayOrder({ uploads }: UploadQueue): readonly QueuedUpload[] {
  return uploads.toSorted((one, other) => rank[one.progress.state] - rank[other.progress.state])
}

export type PauseReason = 'sign-in' | 'server' | 'limit'

export function findPauseReason({ hold, outage, isSignedOut }: UploadQueue): PauseReason | null {
  if (isSignedOut) return 'sign-in'
  if (outage && !outage.isAnswering) return 'server'
  return hold && 'limit'
}

export interface UploadSummary {
  readonly total: number
  readonly done: number
  /** The number of images that are new to the account. */
  readonly added: number
  readonly failed: number
  /** Waiting or in progress. */
  readonly open: number
  /** Paused by the user. */
  readonly paused: number
  /** Share of the bytes that are sent, 0 to 1, without the failed files. */
  readonly fraction: number
}

/** Sums up the current batch while uploads are open, and afterwards all that are shown. */
export function summarise({ uploads: all, earlier }: UploadQueue): UploadSummary {
  const isBusy = all.some(({ progress }) => isMoving(progress) || progress.state === 'paused')
  const uploads = isBusy ? all.filter(({ id }) => !earlier.has(id)) : all
  const counted = (state: UploadProgress['state']) => uploads.filter(({ progress }) => progress.state === state).length
  const travelling = uploads.filter(({ progress }) => progress.state !== 'failed')
  const bytes = travelling.reduce((sum, { file }) => sum + file.size, 0)
  const sent = travelling.reduce((sum, upload) => sum + countSent(upload), 0)
  return {
    total: uploads.length,
    done: counted('done'),
    added: uploads.filter(isAdded).length,
    failed: counted('failed'),
    open: counted('waiting') + counted('sending'),
    paused: counted('paused'),
    fraction: bytes === 0 ? 0 : Math.min(1, sent / bytes),
  }
}

/** Whether an upload is done and has added an image, rather than found one that was there. */
export const isAdded = ({ progress }: QueuedUpload): boolean =>
  progress.state === 'done' && progress.image.isNew && !progress.isRepeat

/** Returns the links of the images that are done, each once. */
export function listLinks({ uploads }: UploadQueue): readonly string[] {
  return uploads.flatMap(({ progress }) =>
    progress.state === 'done' && !progress.isRepeat ? [progress.image.url] : [],
  )
}

/** Counts the failed files that can be retried, and all that are not uploaded yet. */
export function leftOver({ uploads }: UploadQueue): { retriable: number; missing: number } {
  const retriable = uploads.filter(({ progress }) => progress.state === 'failed' && progress.canRetry).length
  const open = uploads.filter(({ progress }) => isMoving(progress) || progress.state === 'paused').length
  return { retriable, missing: retriable + open }
}

function countSent({ file, progress }: QueuedUpload): number {
  if (progress.state === 'waiting' || progress.state === 'paused') return 0
  return progress.state === 'sending' ? progress.sent : file.size
}
