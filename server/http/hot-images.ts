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
  /** When the database was asked, by performance.now(): it may have answered at once what was long on its way. */
  readonly askedAt: number
}

interface Entry<Prepared> extends HotImage<Prepared> {
  /** Since it was last renewed. */
  isUsed: boolean
}

/** Milliseconds for which the database's word of an image is believed, from the question on. This is the bound: trash,
 *  visibility or purge in another process hold here at most so much after they are committed, and in this one at once. */
export const BELIEVED_MS = 1_000
/** Milliseconds after which it is asked again, behind a call that does not wait for it, with all that are as old. */
const RENEWED_MS = BELIEVED_MS / 2
/** What is not so old yet goes along. */
const YOUNG_MS = BELIEVED_MS / 4
/** Addresses that are asked for in one statement, so that no answer is held up for long. */
const RENEWED_TOGETHER = 100

/** Addresses, of some 3 kB each. */
const MOST = 4_096

interface Parts<Prepared> {
  /** Looks addresses up for a guest, in their order; null where there is nothing for one. */
  readonly look: (asked: readonly ByteRequest[]) => Promise<readonly (FoundImage | null)[]>
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
  /** Look-ups that are under way for guests, who all find the same. */
  readonly #underWay = new Map<string, Promise<FoundImage | null>>()
  #changes = 0
  #isRenewing = false

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
    entry.isUsed = true
    if (age >= RENEWED_MS && !this.#isRenewing) void this.#renew()
    return entry
  }

  /** Looks an address up by `look`, and remembers what is for anybody. What changes meanwhile is not remembered. */
  async find(asked: ByteRequest, look: () => Promise<FoundImage | null>): Promise<FoundImage | null> {
    const changes = this.#changes
    const askedAt = this.#now()
    const found = await look()
    // What decides is the image, not who asks: an owner may find what nobody else does. A link to save it is its holder's.
    if (found && mayRead(null, found.image) && changes === this.#changes)
      this.#add({ ...asked, download: null }, found, askedAt)
    return found
  }

  /** The same for a guest: of many who ask at once, one asks the database. */
  findForGuest(asked: ByteRequest, look: () => Promise<FoundImage | null>): Promise<FoundImage | null> {
    return this.#underWay.get(addressOf(asked)) ?? this.#join(asked, () => this.find(asked, look))
  }

  /** Lets others wait for what is being found. */
  #join(asked: ByteRequest, find: () => Promise<FoundImage | null>): Promise<FoundImage | null> {
    const address = addressOf(asked)
    const finding = find()
    this.#underWay.set(address, finding)
    const end = () => {
      if (this.#underWay.get(address) === finding) this.#underWay.delete(address)
    }
    finding.then(end, end)
    return finding
  }

  /** Forgets what this process has changed. */
  forget(ids: readonly string[] | 'any'): void {
    this.#changes += 1
    // Whoever asks from now on must not hear what held before.
    this.#underWay.clear()
    for (const [address, { image }] of this.#entries)
      if (ids === 'any' || ids.includes(image.id)) this.#entries.delete(address)
  }

  #add(asked: ByteRequest, found: FoundImage, askedAt: number): void {
    const address = addressOf(asked)
    const before = this.#entries.get(address)
    const oldest = this.#entries.size >= MOST && !before ? this.#entries.keys().next().value : undefined
    if (oldest !== undefined) this.#entries.delete(oldest)
    const prepared = before && isSame(before, found) ? before.prepared : this.#parts.prepare(asked, found)
    this.#entries.set(address, { ...found, asked, prepared, askedAt, isUsed: false })
  }

  /** Asks anew for all that somebody has asked for since. */
  async #renew(): Promise<void> {
    this.#isRenewing = true
    try {
      const now = this.#now()
      const due = [...this.#entries.values()].filter(({ isUsed, askedAt }) => isUsed && now - askedAt >= YOUNG_MS)
      for (let at = 0; at < due.length; at += RENEWED_TOGETHER)
        await this.#renewThese(due.slice(at, at + RENEWED_TOGETHER))
    } catch {
      // It is believed as long as it would be; the call after that hears what is wrong.
    } finally {
      this.#isRenewing = false
    }
  }

  async #renewThese(entries: readonly Entry<Prepared>[]): Promise<void> {
    const changes = this.#changes
    const askedAt = this.#now()
    const looking = this.#parts.look(entries.map(({ asked }) => asked))
    // Whoever comes when the old answer is not believed any more waits for the new one.
    for (const [index, { asked }] of entries.entries())
      void this.#join(asked, () => looking.then((found) => found[index] ?? null))
    const found = await looking
    if (changes !== this.#changes) return
    for (const [index, { asked }] of entries.entries()) {
      const image = found[index]
      if (image) this.#add(asked, image, askedAt)
      else this.#entries.delete(addressOf(asked))
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
