import { performance } from 'node:perf_hooks'
import type { Viewer } from '#server/accounts/viewer.ts'
import { mayRead } from '#server/images/access.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { FoundImage } from '#server/images/image-by-address.ts'
import { type AnswerPolicy, type PreparedAnswers, prepareAnswers } from './prepared-answers.ts'

/** A cached look-up of an address that everybody may read. */
export interface GuestImage extends FoundImage {
  readonly asked: ByteRequest
  /** What every answer to a guest consists of. */
  readonly prepared: PreparedAnswers
  /** The instant at which the database was asked, by performance.now(): its answer may be as old as that. */
  readonly askedAt: number
}

interface Entry extends GuestImage {
  /** Since it was last renewed. */
  isUsed: boolean
}

/** Milliseconds for which a look-up is believed, from its start. This bounds how long an image may be served here after
 *  another process has hidden, trashed or purged it; changes in this process apply at once. */
export const BELIEVED_MS = 1_000
/** Milliseconds after which a look-up that is in use is refreshed in the background, with all others that are as
 *  old. */
const RENEWED_MS = BELIEVED_MS / 2
/** Look-ups of at least this age are refreshed along with it. */
const YOUNG_MS = BELIEVED_MS / 4
/** The most addresses in one statement, so that no answer is delayed for long. */
const RENEWED_TOGETHER = 100

/** The most addresses that are remembered, at some 3 kB each. */
const MOST = 4_096

/** Finds images in the database. */
export interface ImageFinder {
  find(asked: ByteRequest, viewer: Viewer | null): Promise<FoundImage | null>
  /** Finds images for a guest by several addresses, in their order; null for one that shows a guest nothing. */
  findForGuests(asked: readonly ByteRequest[]): Promise<readonly (FoundImage | null)[]>
}

interface Parts {
  readonly finder: ImageFinder
  readonly policy: AnswerPolicy
  readonly now?: () => number
}

/** A short-lived cache of public images by address, so that calls for the same image do not each ask the database.
 *  Nothing that is hidden from anybody is ever in it: private images are looked up at each request. */
export class GuestImages {
  readonly #parts: Parts
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()
  /** Look-ups under way for guests, who share them. */
  readonly #underWay = new Map<string, Promise<FoundImage | null>>()
  #changes = 0
  #isRenewing = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
  }

  /** Returns what is cached for an address, spelled as `addressOf` does. */
  get(address: string): GuestImage | null {
    const entry = this.#entries.get(address)
    if (entry === undefined) return null
    const age = this.#now() - entry.askedAt
    if (age >= BELIEVED_MS) {
      this.#entries.delete(address)
      return null
    }
    entry.isUsed = true
    if (age >= RENEWED_MS && !this.#isRenewing) void this.#renew()
    return entry
  }

  /** Returns the image that an address names for a viewer, from the cache where possible. Concurrent guests share one
   *  query. */
  async lookUp(asked: ByteRequest, viewer: Viewer | null): Promise<FoundImage | null> {
    const known = this.get(addressOf(asked))
    if (known) return known
    if (viewer) return this.#find(asked, viewer)
    return this.#underWay.get(addressOf(asked)) ?? this.#join(asked, this.#find(asked, null))
  }

  /** Finds an image, and caches what everybody may see, unless it changes in the meantime. */
  async #find(asked: ByteRequest, viewer: Viewer | null): Promise<FoundImage | null> {
    const changes = this.#changes
    const askedAt = this.#now()
    const found = await this.#parts.finder.find(asked, viewer)
    // Cached only if the image is public, whoever asks: an owner may find what nobody else does. And a download link is
    // its holder's alone.
    if (found && mayRead(null, found.image) && changes === this.#changes)
      this.#add({ ...asked, download: null }, found, askedAt)
    return found
  }

  /** Lets others wait for what is being found. */
  #join(asked: ByteRequest, finding: Promise<FoundImage | null>): Promise<FoundImage | null> {
    const address = addressOf(asked)
    this.#underWay.set(address, finding)
    const end = () => {
      if (this.#underWay.get(address) === finding) this.#underWay.delete(address)
    }
    finding.then(end, end)
    return finding
  }

  /** Forgets images that this process has changed. */
  forget(ids: readonly string[] | 'any'): void {
    this.#changes += 1
    // Look-ups from now on must not join one that began before the change.
    this.#underWay.clear()
    for (const [address, { image }] of this.#entries)
      if (ids === 'any' || ids.includes(image.id)) this.#entries.delete(address)
  }

  #add(asked: ByteRequest, found: FoundImage, askedAt: number): void {
    const address = addressOf(asked)
    const before = this.#entries.get(address)
    const oldest = this.#entries.size >= MOST && !before ? this.#entries.keys().next().value : undefined
    if (oldest !== undefined) this.#entries.delete(oldest)
    const prepared =
      before && isSame(before, found) ? before.prepared : prepareAnswers(this.#parts.policy, asked, found)
    this.#entries.set(address, { ...found, asked, prepared, askedAt, isUsed: false })
  }

  /** Refreshes all addresses that were used since the last time. */
  async #renew(): Promise<void> {
    this.#isRenewing = true
    try {
      const now = this.#now()
      const due = [...this.#entries.values()].filter(({ isUsed, askedAt }) => isUsed && now - askedAt >= YOUNG_MS)
      for (let at = 0; at < due.length; at += RENEWED_TOGETHER)
        await this.#renewThese(due.slice(at, at + RENEWED_TOGETHER))
    } catch {
      // The old look-up is believed until it expires; the next call after that meets the error.
    } finally {
      this.#isRenewing = false
    }
  }

  async #renewThese(entries: readonly Entry[]): Promise<void> {
    const changes = this.#changes
    const askedAt = this.#now()
    const looking = this.#parts.finder.findForGuests(entries.map(({ asked }) => asked))
    // Calls that come after the old look-up has expired wait for the new one.
    for (const [index, { asked }] of entries.entries())
      void this.#join(
        asked,
        looking.then((found) => found[index] ?? null),
      )
    const found = await looking
    if (changes !== this.#changes) return
    for (const [index, { asked }] of entries.entries()) {
      const image = found[index]
      if (image) this.#add(asked, image, askedAt)
      else this.#entries.delete(addressOf(asked))
    }
  }
}

/** The same for every request for one representation. */
export function addressOf({ slug, extension, width }: ByteRequest): string {
  return width === null ? `/i/${slug}.${extension}` : `/i/${slug}.${extension}?w=${width}`
}

function isSame(one: FoundImage, other: FoundImage): boolean {
  const { representation: a } = one
  const { representation: b } = other
  return (
    a.key === b.key &&
    a.filename === b.filename &&
    a.size === b.size &&
    a.mime === b.mime &&
    a.storedAt.getTime() === b.storedAt.getTime() &&
    one.image.visibility === other.image.visibility
  )
}
