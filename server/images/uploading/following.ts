import { type AddingParts, addVariants } from '../storing/add-variants.ts'
import type { VerifiedFile } from '../storing/verified-file.ts'
import { type LateVariants, withVariants } from './late-variants.ts'

interface FollowingParts extends AddingParts {
  readonly log: { error(details: object, message: string): void }
  /** Has a job make the variants. */
  readonly notFollowed: (sha256: string) => Promise<void>
}

/** Makes and stores the variants that follow uploads' answers, at the expense of those who uploaded. */
export class Following {
  readonly #parts: FollowingParts
  readonly #works = new Set<Promise<void>>()
  #isClosing = false

  constructor(parts: FollowingParts) {
    this.#parts = parts
  }

  /** Starts with a file that has been stored, and disposes of its late variants in the end. */
  start(file: VerifiedFile, late: LateVariants): void {
    const work = this.#work(file, late).finally(() => this.#works.delete(work))
    this.#works.add(work)
  }

  /** Resolves when nothing is under way, or after `ms`; what is left is made by a job of the next process. */
  async close(ms: number): Promise<void> {
    this.#isClosing = true
    const { promise: over, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    await Promise.race([this.settled(), over])
    clearTimeout(timer)
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#works.size > 0) await Promise.all(this.#works)
  }

  async #work(file: VerifiedFile, late: LateVariants): Promise<void> {
    const { log, notFollowed } = this.#parts
    const { sha256 } = file.original
    try {
      await using _picture = late
      const made = await late.make(null)
      if (made === null) throw new Error('the picture could not be rendered')
      const { variants } = withVariants(file, made)
      await addVariants(this.#parts, sha256, { variants, put: made, onlyDue: false })
    } catch (error) {
      // They are due in the object's row, so the next process has a job for them too.
      if (this.#isClosing) return
      log.error({ err: error, sha256 }, 'the larger variants of an upload are left to a job')
      await notFollowed(sha256).catch((err: unknown) => log.error({ err, sha256 }, 'could not add a job for variants'))
    }
  }
}
