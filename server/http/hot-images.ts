import { performance } from 'node:perf_hooks'
import { mayRead } from '#server/images/access.ts'
import type { ByteRequest } from '#server/images/byte-request.ts'
import type { Representation, SentImage } from '#server/images/representation.ts'

/** What is sent of an image, for one of its addresses. */
export interface FoundImage {
  readonly image: SentImage
  readonly representation: Representation
}

/** What is known of an address that anybody may read. */
export interface HotImage<Prepared> extends FoundImage {
  readonly asked: ByteRequest
  readonly prepared: Prepared
  /** When the database was asked, by performance.now(). */
  readonly askedAt: number
}

interface Entry<Prepared> extends HotImage<Prepared> {
  isRenewing: boolean
}

/** Milliseconds for which the database's word of an image is believed, from when it was asked. This is the bound: trash,
 *  visibility or purge in another process hold here at most so much later, and in this one at once. */
export const BELIEVED_MS = 1_000
/** Milliseconds after which it is asked again, behind a call that does not wait for it. */
const RENEWED_MS = BELIEVED_MS / 2

/** Addresses, of some 3 kB each. */
const MOST = 4_096

interface Parts<Prepared> {
  /** Looks an address up for a guest; null where there is nothing for one. */
  readonly look: (asked: ByteRequest) => Promise<FoundImage | null>
  /** Makes once what each answer needs. */
  readonly prepare: (asked: ByteRequest, found: FoundImage) => Prepared
  readonly now?: () => number
}

/** Images that were asked for a moment ago and that anybody may have, by their address: such a call asks no database. What
 *  is hidden from anybody is never here. */
export class HotImages<Prepared> {
  readonly #parts: Parts<Prepared>
  readonly #now: () => number
  readonly #entries = new Map<string, Entry<Prepared>>()
  #changes = 0

  constructor(parts: Parts<Prepared>) {
    this.#parts = parts
    this.#now = parts.now ?? (() => performance.now())
  }

  /** What is known of an address, spelled as `addressOf` does. */
  get(address: string): HotImage<Prepared> | null {
    const entry = this.#entries.get(address)
    if (entry === undefined) return null
    const age = this.#now() - entry.askedAt
    if (age >= BELIEVED_MS) {
      this.#entries.delete(address)
      return null
    }
    if (age >= RENEWED_MS && !entry.isRenewing) {
      entry.isRenewing = true
      void this.#renew(address, entry)
    }
    return entry
  }

  /** Looks an address up, and remembers what is for anybody. What changes meanwhile is not remembered. */
  async find(asked: ByteRequest, look: (asked: ByteRequest) => Promise<FoundImage | null>): Promise<FoundImage | null> {
    const changes = this.#changes
    const askedAt = this.#now()
    const found = await look(asked)
    // What decides is the image, not who asks: an owner may find what nobody else does.
    if (found && mayRead(null, found.image) && changes === this.#changes) this.#add({ asked, askedAt, ...found })
    return found
  }

  /** Forgets what this process has changed. */
  forget(ids: readonly string[] | 'any'): void {
    this.#changes += 1
    for (const [address, { image }] of this.#entries)
      if (ids === 'any' || ids.includes(image.id)) this.#entries.delete(address)
  }

  #add(known: FoundImage & { readonly asked: ByteRequest; readonly askedAt: number }): void {
    const address = addressOf(known.asked)
    const before = this.#entries.get(address)
    const oldest = this.#entries.size >= MOST && !before ? this.#entries.keys().next().value : undefined
    if (oldest !== undefined) this.#entries.delete(oldest)
    const prepared = before && isSame(before, known) ? before.prepared : this.#parts.prepare(known.asked, known)
    this.#entries.set(address, { ...known, prepared, isRenewing: false })
  }

  async #renew(address: string, entry: Entry<Prepared>): Promise<void> {
    try {
      const found = await this.find(entry.asked, this.#parts.look)
      // It is not there any more, or not for anybody.
      if (!found && this.#entries.get(address) === entry) this.#entries.delete(address)
    } catch {
      // It is believed as long as it would be; the call after that hears what is wrong.
    }
  }
}

/** Of every request for the same the same. */
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
