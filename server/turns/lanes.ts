/** The names of a lane, from the outermost: a network, and an address in it. Waiters are in innermost lanes only, so no lane in use
 *  is the beginning of another. */
export type Lane = readonly [string, ...string[]]

/** What waits for its turn says whose turn it takes. */
export interface Turn {
  readonly lane: Lane
  /** Aborted when nobody waits for the outcome any more, as when the client disconnects. */
  readonly signal?: AbortSignal | undefined
}

interface InLane {
  readonly lane: Lane
}

/** Waiters by lane. The lanes take turns, and so do the lanes in each of them; in the innermost, waiters are first come, first
 *  served. Lanes exist while they have waiters, so memory is bounded by the number of waiters. */
export class Lanes<Waiter extends InLane> {
  /** In the order of their turns. */
  readonly #lanes = new Map<string, Lanes<Waiter>>()
  readonly #waiters: Waiter[] = []
  count = 0

  add(waiter: Waiter, names: readonly string[] = waiter.lane): void {
    this.count += 1
    const [first, ...rest] = names
    if (first === undefined) {
      this.#waiters.push(waiter)
      return
    }
    const lane = this.#lanes.get(first) ?? new Lanes<Waiter>()
    this.#lanes.set(first, lane)
    lane.add(waiter, rest)
  }

  /** Removes a waiter that is here. */
  remove(waiter: Waiter, names: readonly string[] = waiter.lane): void {
    this.count -= 1
    const [first, ...rest] = names
    if (first === undefined) {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1)
      return
    }
    const lane = this.#lanes.get(first)
    lane?.remove(waiter, rest)
    if (lane?.count === 0) this.#lanes.delete(first)
  }

  /** Returns the first waiter of the lane that has its turn, still waiting; null if none may run. That lane has used its turn,
   *  whatever becomes of the work. */
  next(mayRun: (name: string) => boolean = () => true): Waiter | null {
    const [first] = this.#waiters
    if (first) return first
    for (const [name, lane] of this.#lanes) {
      if (!mayRun(name)) continue
      this.#lanes.delete(name)
      this.#lanes.set(name, lane)
      return lane.next()
    }
    return null
  }

  /** Returns the newest waiter of the lane with the most, still waiting. Of lanes with equally many it is that of `names`, or else
   *  the one with the last turn. */
  newest(names: readonly string[] = []): Waiter | null {
    const [own = '', ...rest] = names
    let [fullest, most] = [own, this.#lanes.get(own)?.count ?? 0]
    for (const [name, { count }] of this.#lanes)
      if (count > most || (count === most && fullest !== own)) [fullest, most] = [name, count]
    const lane = this.#lanes.get(fullest)
    return lane ? lane.newest(fullest === own ? rest : []) : (this.#waiters.at(-1) ?? null)
  }
}
