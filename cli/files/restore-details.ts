import { hash } from 'node:crypto'
import { translate } from '#messages/translate.ts'
import { toTitle } from '#server/images/names.ts'
import type { ServerConnection } from '../connection/connection.ts'
import { ItemFailed, isUnknownProcedure } from '../connection/server-error.ts'
import type { FileMark, Journal } from './journal.ts'
import type { ManifestImage } from './manifest.ts'

/** Images of one call: a fraction of a minute's permits. */
const BATCH = 50

/** An uploaded image, and what is known about it. */
interface Restored {
  readonly id: string
  readonly label: string
  readonly mark: FileMark
  readonly journal: Journal
  readonly image: Pick<ManifestImage, 'title' | 'filename' | 'createdAt'> & Partial<ManifestImage>
}

/**
 * Gives uploaded images what an export says about them, some at a time: title, description, tags, favourite and dates. The server
 * fills only what is empty. The journal records what has been restored, so that a second run neither forgets what the first one
 * missed, nor restores what was changed since.
 */
export class DetailsRestorer {
  readonly #connection: ServerConnection
  readonly #waiting: Restored[] = []
  /** What could not be restored, for people. */
  readonly problems: string[] = []
  /** Whether the server is of a version that knows titles only. */
  isOldServer = false

  constructor(connection: ServerConnection) {
    this.#connection = connection
  }

  async add(restored: Restored): Promise<void> {
    if (restored.journal.ofFile(restored.mark)?.details === digest(restored)) return
    this.#waiting.push(restored)
    if (this.#waiting.length >= BATCH) await this.flush()
  }

  /** Restores the images that are waiting. */
  async flush(): Promise<void> {
    await this.#restore(this.#waiting.splice(0))
  }

  async #restore(batch: readonly Restored[]): Promise<void> {
    if (batch.length === 0) return
    if (this.isOldServer) return this.#restoreTitles(batch)
    const { api, patience, signal } = this.#connection
    const items = batch.map(({ id, image }) => ({ id, ...toDetails(image) }))
    try {
      const answer = await patience.run(() => api.library.restore.mutate({ items }, { signal }))
      for (const [index, { outcome }] of answer.items.entries())
        if (outcome === 'too-many-tags') this.#report(batch[index], translate('cli.albums.tooManyTags'))
    } catch (error) {
      if (isUnknownProcedure(error)) {
        this.isOldServer = true
        return this.#restoreTitles(batch)
      }
      if (!(error instanceof ItemFailed)) throw error
      // The server refuses a call for one of its images: the others are restored one by one.
      if (batch.length === 1) return this.#report(batch[0], error.message)
      for (const each of batch) await this.#restore([each])
      return
    }
    for (const each of batch) {
      const stored = each.journal.ofFile(each.mark)
      if (stored) await each.journal.add({ ...stored, details: digest(each) })
    }
  }

  #report(restored: Restored | undefined, reason: string): void {
    this.problems.push(translate('cli.albums.notRestored', { name: restored?.label ?? '', reason }))
  }

  /** Restores the titles of images that have none of their own. */
  async #restoreTitles(batch: readonly Restored[]): Promise<void> {
    const { api, patience, signal } = this.#connection
    for (const { id, image } of batch) {
      if (image.title === toTitle(image.filename)) continue
      const found = await patience.run(() => api.image.get.query({ id }, { signal }))
      if (found.title !== toTitle(found.filename ?? '')) continue
      await patience.run(() => api.image.update.mutate({ id, title: image.title }, { signal }))
    }
  }
}

function toDetails(image: Restored['image']) {
  const { title, description, tags, favourite, camera } = image
  const [createdAt, takenAt] = [toInstant(image.createdAt), toInstant(image.takenAt)]
  return {
    title,
    ...(description !== undefined && { description }),
    ...(tags !== undefined && { tags }),
    ...(favourite !== undefined && { favourite }),
    ...(createdAt !== null && { createdAt }),
    ...(takenAt !== null && { takenAt }),
    ...(camera !== undefined && { camera }),
  }
}

/** Returns a date as the server takes it; null for none, and for one that no file has. */
function toInstant(text: string | null | undefined): string | null {
  const at = text ? new Date(text) : null
  return at && at.getTime() >= Date.UTC(1900, 0) && at.getUTCFullYear() < 10_000 ? at.toISOString() : null
}

const digest = ({ id, image }: Restored): string => hash('sha256', JSON.stringify([id, toDetails(image)]))
