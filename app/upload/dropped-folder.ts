import { isMoving, type UploadQueue } from './upload-queue.ts'

/** A folder that was dropped alone, with its files. */
export interface DroppedFolder {
  readonly name: string
  readonly files: ReadonlySet<File>
}

/** Images that one call adds to an album. */
const mostAtOnce = 100

/** The longest title of an album. */
const longestName = 200

export const nameFolder = (name: string): string => [...name.trim()].slice(0, longestName).join('')

interface Filing {
  /** The images to add to the album now: a full call of them, or the last ones. */
  readonly ready: readonly string[]
  /** All that arrived are in it. */
  readonly isComplete: boolean
}

/** Returns which uploads of a folder to add to its album, given those that are in it. */
export function imagesToFile({ uploads }: UploadQueue, { files }: DroppedFolder, filed: ReadonlySet<string>): Filing {
  const own = uploads.filter(({ file }) => files.has(file))
  const arrived = own.flatMap(({ progress }) => (progress.state === 'done' ? progress.image.id : []))
  const left = [...new Set(arrived).difference(filed)]
  const isOver = !own.some(({ progress }) => isMoving(progress))
  return {
    ready: isOver || left.length >= mostAtOnce ? left.slice(0, mostAtOnce) : [],
    isComplete: isOver && left.length === 0,
  }
}
