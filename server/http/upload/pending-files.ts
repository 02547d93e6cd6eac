import { refuse } from '#server/errors/refuse.ts'
import type { SaidOfFile, UploadForm } from '#server/trpc/context.ts'
import { BadRequest } from './bad-request.ts'

/**
 * The files of a form that have been received and verified: they wait in the temp folder until the form has ended, when all
 * that it says of them is known, and are stored then, one after the other in the order of coming.
 *
 * Until a form has ended nothing of it is stored. A process that is killed behind file 12 of 20 leaves no row and no object,
 * but the folders of twelve clean files and of the one that was coming in, which the next start deletes
 * (server/storage/temp-folder.ts). Thirteen files stay charged: twelve by their bytes, the last by what it might have had.
 * The form's place in `uploading` lapses with its lease.
 *
 * A form has one place in `uploading`: while a file is being received, and from its first good file to its end. The call of
 * that file holds it for all, and their calls end together, behind the last file that is stored.
 */
export class PendingFiles {
  readonly #ended = Promise.withResolvers<{ readonly isWhole: boolean }>()
  #last: Promise<unknown> = this.#ended.promise
  #count = 0
  #failure: unknown = null

  constructor() {
    // Each file's call hears of it.
    this.#ended.promise.catch(() => undefined)
  }

  get count(): number {
    return this.#count
  }

  /** Why the files are not stored; null otherwise. */
  get failure(): unknown {
    return this.#failure
  }

  /** The form as a file sees it that comes now. `isWhole` tells `said` whether the form was read to its end. */
  formOf(said: (isWhole: boolean) => SaidOfFile, onReceived: () => void): UploadForm {
    return {
      holdsPlace: this.#count > 0,
      whenEnded: (store) => {
        onReceived()
        this.#count += 1
        return this.#inTurn((isWhole) => store(said(isWhole)))
      },
    }
  }

  /** Stores the files. `isWhole`: the form was read to its end. */
  store(isWhole: boolean): void {
    this.#ended.resolve({ isWhole })
  }

  /** Stores none of them: each is refused with this error. */
  refuse(error: unknown): void {
    this.#failure = error
    this.#ended.reject(error instanceof BadRequest ? refuse('aborted') : error)
  }

  async #inTurn<T>(store: (isWhole: boolean) => Promise<T>): Promise<T> {
    const before = this.#last
    const turn = this.#ended.promise.then(async ({ isWhole }) => {
      await before
      return store(isWhole)
    })
    this.#last = turn.catch(() => undefined)
    try {
      return await turn
    } finally {
      await this.#last
    }
  }
}
