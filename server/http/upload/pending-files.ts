import { refuse } from '#server/errors/refuse.ts'
import type { SaidOfFile, UploadForm } from '#server/trpc/context.ts'
import { BadRequest } from './parsing/bad-request.ts'

/**
 * The files of a form that have been received and verified. They wait in the temp folder until the form has ended, because a
 * field after a file may still apply to it. Then they are stored one after the other, in the order of the form.
 *
 * Invariant: nothing of a form is stored before the form has ended. A process that is killed after file 12 of 20 leaves no row
 * and no object, only the temp folders of twelve cleaned files and of the file being received, which the next start deletes
 * (server/storage/temp-folder.ts). Thirteen files stay charged: twelve by their bytes, the last by its declared maximum. The
 * form's place in the rule set `uploading` expires with its lease.
 *
 * A form holds one place in `uploading`: while a file is being received, and from its first good file until its end. The call of
 * that file holds the place for all files, and all calls end together, after the last file has been stored.
 */
export class PendingFiles {
  readonly #ended = Promise.withResolvers<{ readonly isWhole: boolean }>()
  #last: Promise<unknown> = this.#ended.promise
  #count = 0
  #failure: unknown = null

  constructor() {
    // Each file's call gets the rejection.
    this.#ended.promise.catch(() => undefined)
  }

  get count(): number {
    return this.#count
  }

  /** The error for which the files are not stored; null if there is none. */
  get failure(): unknown {
    return this.#failure
  }

  /** Returns the form as seen by the file being received now. `said` learns whether the form was read to its end. */
  makeForm(said: (isWhole: boolean) => SaidOfFile, onReceived: () => void): UploadForm {
    return {
      holdsPlace: this.#count > 0,
      whenEnded: (store) => {
        onReceived()
        this.#count += 1
        return this.#inTurn((isWhole) => store(said(isWhole)))
      },
    }
  }

  /** Stores the files. `isWhole` is true if the form was read to its end. */
  store(isWhole: boolean): void {
    this.#ended.resolve({ isWhole })
  }

  /** Stores no file: each is refused with this error. */
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
