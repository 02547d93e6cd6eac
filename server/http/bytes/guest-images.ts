import { performance } from 'node:perf_hooks'
import type { Viewer } from '#server/accounts/viewer.ts'
import { mayRead } from '#server/images/access.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { FoundImage } from '#server/images/image-by-address.ts'
import { type AnswerPolicy, type PreparedAnswers, prepareAnswers } from './prepared-answers.ts'

/** A cached look-up of an address that everybody may read. */
export interface GuestImage extends FoundImage {
  readonly asked: ByteRequest
  /** The parts that all answers to a guest consist of. */
  readonly prepared: PreparedAnswers
  /** When the query began, by performance.now(). The result may be as old as that. */
  readonly askedAt: number
}

interface Entry extends GuestImage {
  /** Since the last refresh. */
  isUsed: boolean
}

/**
 * Milliseconds from its start for which a look-up is valid. Bounds how long an image may be served here after another
 * process has hidden, trashed or purged it; changes in this process apply at once.
 */
export const BELIEVED_MS = 1_000
/** Milliseconds after which a look-up in use is refreshed in the background, with all others of that age. */
const RENEWED_MS = BELIEVED_MS / 2
/** Look-ups of at least this age are refreshed along with it. */
const YOUNG_MS = BELIEVED_MS / 4
/** The most addresses per statement, so that no answer is delayed for long. */
const RENEWED_TOGETHER = 100

/** The most cached addresses, at about 3 kB each. */
const MOST = 4_096

/** Looks images up in the database. */
export interface ImageFinder {
  find(asked: ByteRequest, viewer: Viewer | null): Promise<FoundImage | null>
  /** Finds images for a guest by several addresses, in their order; null for an address that shows a guest nothing. */
  findForGuests(asked: readonly ByteRequest[]): Promise<readonly (FoundImage | null)[]>
}

interface Parts {
  readonly finder: ImageFinder
  readonly policy: AnswerPolicy
  readonly now?: () => number
}

/**
 * A short-lived cache of public images by address, so that calls for the same image do not each query the database. It
 * never contains anything that is hidden from anybody: private images are looked up at each request.
 */
export class GuestImages {
  readonly #parts: Parts
  readonly #now: () => number
  readonly #entries = new Map<string, Entry>()
  /** Guests' look-ups in progress, which concurrent guests share. */
  readonly #underWay = new Map<string, Promise<FoundImage | null>>()
  #changes = 0
  #isRenewing = false

  constructor(parts: Parts) {
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
  }

  /** Returns the cached look-up of an address in the form of `spellUrl`. */
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

  /**
   * Returns the image that an address names for a viewer, from the cache if possible. Concurrent guests share one
   * query.
   */
  async lookUp(asked: ByteRequest, viewer: Viewer | null): Promise<FoundImage | null> {
    const known = this.get(spellUrl(asked))
    if (known) return known
    if (viewer) return this.#find(asked, viewer)
    return this.#underWay.get(spellUrl(asked)) ?? this.#join(asked, this.#find(asked, null))
  }

  /** Finds an image and caches it if it is public, unless it changes in the meantime. */
  async #find(asked: ByteRequest, viewer: Viewer | null): Promise<FoundImage | null> {
    const changes = this.#changes
    const askedAt = this.#now()
    const found = await this.#parts.finder.find(asked, viewer)
    // Cached only if a guest may read it, because an owner may find what nobody else does. A download link belongs to
    // its holder alone.
    if (found && mayRead(null, found.image) && changes === this.#changes)
      this.#add({ ...asked, download: null }, found, askedAt)
    return found
  }

  /** Lets others wait for the same look-up. */
  #join(asked: ByteRequest, finding: Promise<FoundImage | null>): Promise<FoundImage | null> {
    const address = spellUrl(asked)
    this.#underWay.set(address, finding)
    const end = () => {
      if (this.#underWay.get(address) === finding) this.#underWay.delete(address)
    }
    finding.then(end, end)
    return finding
  }

  /** Drops images that this process has changed. */
  forget(ids: readonly string[] | 'any'): void {
    this.#changes += 1
    // Later look-ups must not join one that began before the change.
    this.#underWay.clear()
    for (const [address, { image }] of this.#entries)
      if (ids === 'any' || ids.includes(image.id)) this.#entries.delete(address)
  }

  #add(asked: ByteRequest, found: FoundImage, askedAt: number): void {
    const address = spellUrl(asked)
    const before = this.#entries.get(address)
    const oldest = this.#entries.size >= MOST && !before ? this.#entries.keys().next().value : undefined
    if (oldest !== undefined) this.#entries.delete(oldest)
    const prepared =
      before && isSame(before, found) && before.prepared.cacheSeconds === this.#parts.policy.cacheSeconds
        ? before.prepared
        : prepareAnswers(this.#parts.policy, asked, found)
    this.#entries.set(address, { ...found, asked, prepared, askedAt, isUsed: false })
  }

  /** Refreshes all addresses used since the last refresh. */
  async #renew(): Promise<void> {
    this.#isRenewing = true
    try {
      const now = this.#now()
      const due = [...this.#entries.values()].filter(({ isUsed, askedAt }) => isUsed && now - askedAt >= YOUNG_MS)
      for (let at = 0; at < due.length; at += RENEWED_TOGETHER)
        await this.#renewThese(due.slice(at, at + RENEWED_TOGETHER))
    } catch {
      // The old look-up stays valid until it expires; the next call after that gets the error.
    } finally {
      this.#isRenewing = false
    }
  }

  async #renewThese(entries: readonly Entry[]): Promise<void> {
    const changes = this.#changes
    const askedAt = this.#now()
    const looking = this.#parts.finder.findForGuests(entries.map(({ asked }) => asked))
    // Calls that arrive after the old look-up has expired wait for the new one.
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
      else this.#entries.delete(spellUrl(asked))
    }
  }
}

/** Returns the same text for every request for one representation. */
export function spellUrl({ slug, extension, width }: ByteRequest): string {
  return width === null ? `/i/${slug}.${extension}` : `/i/${slug}.${extension}?w=${width}`
}

function isSame(one: FoundImage, other: FoundImage): boolean {
  const { representation: a } = one
  const { representation: b } = other
  return (
    a.key === b.key &&
    a.standsIn === b.standsIn &&
    a.filename === b.filename &&
    a.size === b.size &&
    a.mime === b.mime &&
    a.storedAt.getTime() === b.storedAt.getTime() &&
    one.image.visibility === other.image.visibility
  )
}
