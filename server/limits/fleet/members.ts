/** More are not counted: nobody runs so many, but somebody may pretend to. */
const MOST = 1_000

interface Member {
  heardAt: number
  /** How often it had told something when it was last heard. */
  told: number
  snapshot: string | null
}

export interface MembersOptions {
  /** Whoever is silent for longer is gone. */
  readonly goneAfterMs: number
  /** Whoever has not heard themselves for longer cannot say that others are silent; well below `goneAfterMs`. */
  readonly deafAfterMs: number
}

/** The other processes, as far as this one hears them. */
export class Members {
  readonly #options: MembersOptions
  readonly #byId = new Map<string, Member>()
  #heardSelfAt = Number.NEGATIVE_INFINITY
  /** Since when this process has heard itself without a break. */
  #hearingSince = Number.NEGATIVE_INFINITY

  constructor(options: MembersOptions) {
    this.#options = options
  }

  /** How many there are, and this process. */
  get size(): number {
    return this.#byId.size + 1
  }

  /** The last of each. */
  snapshots(): string[] {
    return [...this.#byId.values()].flatMap(({ snapshot }) => snapshot ?? [])
  }

  /** This process hears what it said: what all say reaches it. */
  hearSelf(now: number): void {
    if (this.#isDeaf(now)) this.#hearingSince = now
    this.#heardSelfAt = now
  }

  /** Notes a message of another process. `told` is how often that one has told something so far; `isTold` says whether the
   *  message itself is such, and no sign of life. False where something was told before that did not come here. */
  hear(id: string, { told, isTold, now }: { told: number; isTold: boolean; now: number }): boolean {
    const known = this.#byId.get(id)
    if (!known && this.#byId.size >= MOST) return true
    const before = known?.told ?? 0
    this.#byId.set(id, { snapshot: null, ...known, told, heardAt: now })
    return told === before + Number(isTold)
  }

  show(id: string, snapshot: string | null): void {
    const member = this.#byId.get(id)
    if (member) member.snapshot = snapshot
  }

  leave(id: string): void {
    this.#byId.delete(id)
  }

  /** Forgets who was silent for too long, while others could have been heard. */
  dropSilent(now: number): void {
    if (this.#isDeaf(now)) return
    for (const [id, { heardAt }] of this.#byId) {
      if (now - Math.max(heardAt, this.#hearingSince) > this.#options.goneAfterMs) this.#byId.delete(id)
    }
  }

  #isDeaf(now: number): boolean {
    return now - this.#heardSelfAt > this.#options.deafAfterMs
  }
}
