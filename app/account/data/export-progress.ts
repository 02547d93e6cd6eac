/** How far an export is. What is kept of it allows another visit to continue with the next part. */
export interface ExportProgress {
  /** The number of the next part, from 1. */
  readonly part: number
  /** Where it begins; null for the first. */
  readonly after: string | null
  /** In the parts before. */
  readonly images: number
  readonly bytes: number
}

export const START: ExportProgress = { part: 1, after: null, images: 0, bytes: 0 }

const keyFor = (userId: string): string => `sluice-export-${userId}`

/** Returns the progress of an export that was interrupted in this browser; the start if there is none. */
export function readProgress(userId: string): ExportProgress {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyFor(userId)) ?? 'null')
    return isProgress(kept) ? kept : START
  } catch {
    return START
  }
}

/** Keeps the progress; forgets it at the start and, with null, at the end. */
export function keepProgress(userId: string, progress: ExportProgress | null): void {
  try {
    if (progress === null || progress.part === 1) localStorage.removeItem(keyFor(userId))
    else localStorage.setItem(keyFor(userId), JSON.stringify(progress))
  } catch {
    // Without storage an interrupted export begins anew.
  }
}

function isProgress(value: unknown): value is ExportProgress {
  if (!(value instanceof Object)) return false
  const { part, after, images, bytes } = Object.assign({ part: null, after: null, images: null, bytes: null }, value)
  return Number.isInteger(part) && typeof after === 'string' && Number.isInteger(images) && Number.isInteger(bytes)
}
