/** Further members are not counted: no deployment has so many, but a client may pretend to. */
const MOST = 1_000

interface Member {
  heardAt: number
  /** How many messages it had published when it was last heard. */
  told: number
  snapshot: string | null
}

export interface MembersOptions {
  /** A process that is silent for longer is dropped. */
  readonly goneAfterMs: number
  /** A process that has not received its own messages for longer cannot judge whether others are silent; well below
   *  `goneAfterMs`. */
  readonly deafAfterMs: number
}

/** The other processes, as far as this one hears them. */
export class Members {
  readonly #options: MembersOptions
  readonly #byId = new Map<string, Member>()
  #heardSelfAt = Number.NEGATIVE_INFINITY
  /** The instant since which this process has received its own messages without a break. */
  #hearingSince = Number.NEGATIVE_INFINITY

  constructor(options: MembersOptions) {
    this.#options = options
  }

  /** The number of members, this process included. */
  get size(): number {
    return this.#byId.size + 1
  }

  /** The last snapshot of each member. */
  snapshots(): string[] {
    return [...this.#byId.values()].flatMap(({ snapshot }) => snapshot ?? [])
  }

  /** To be called when this process receives its own message, which shows that the messages of all others reach it. */
  hearSelf(now: number): void {
    if (this.#isDeaf(now)) this.#hearingSince = now
    this.#heardSelfAt = now
  }

  /** Registers a message of another process. `told` is how many messages that process has published so far; `isTold`
   *  says whether this is one of them and not a heartbeat. Returns false when an earlier one did not arrive here. */
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

  /** Drops members that were silent for too long, while others could have been heard. */
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
