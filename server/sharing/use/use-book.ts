import { createHmac } from 'node:crypto'
import type { Decision } from '#server/limits/decision.ts'
import { type LimitedShare, type ShareLimit, sharePolicies } from '../limits.ts'
import { addVisitor, newSketch } from './visitor-sketch.ts'

/** What a share was used for since the last flush. */
export interface UseRow {
  readonly shareId: string
  /** UTC, `YYYY-MM-DD`. */
  readonly day: string
  requests: number
  bytes: number
  refused: number
  readonly visitors: Uint8Array<ArrayBuffer>
  near: ReachedLimit | null
  spent: ReachedLimit | null
}

/** A limit of a share that is nearly or fully used. */
export interface ReachedLimit {
  readonly name: ShareLimit
  readonly limit: number
  readonly used: number
}

interface Served {
  readonly requests?: number
  readonly bytes?: number
  /** The visitor's address, as limits count it. */
  readonly address?: string
}

export interface UseBookParts {
  readonly secret: string
  write(rows: readonly UseRow[]): Promise<void>
  readonly log: { error(details: object, message: string): void }
  readonly now?: () => number
}

/** The part of a limit from which its owner is warned. */
export const NEAR = 0.8

/** Rows kept in memory, each of about a kB: beyond that they are written at once. */
const MOST_ROWS = 2_000

const names = new Map<string, ShareLimit>([
  [sharePolicies.requestsPerHour, 'requestsPerHour'],
  [sharePolicies.requestsPerDay, 'requestsPerDay'],
  [sharePolicies.bytesPerDay, 'bytesPerDay'],
])

/**
 * The use of shares by day, added up in memory and written every few seconds. Only shares in use have a row here, and only until
 * it is written. It feeds what owners see, and the warnings; limits are decided without it.
 */
export class UseBook {
  readonly #parts: UseBookParts
  readonly #now: () => number
  #rows = new Map<string, UseRow>()
  #writing: Promise<void> = Promise.resolve()

  constructor(parts: UseBookParts) {
    this.#parts = parts
    this.#now = parts.now ?? Date.now
  }

  /** Notes a decision, and what was served to whom if it allowed. One that no limit of the share was part of is none of its use, nor
   *  is a refusal by another limit. */
  note(share: Pick<LimitedShare, 'id'>, decision: Decision, { requests = 0, bytes = 0, address }: Served = {}): void {
    if (!decision.rules.some(({ policy }) => names.has(policy))) return
    const spent = decision.refusedBy && toReached(decision.refusedBy)
    if (!decision.allowed && !spent) return
    const row = this.#row(share.id)
    row.spent ??= spent
    for (const rule of decision.rules) {
      if (rule.limit - rule.remaining >= NEAR * rule.limit) row.near ??= toReached(rule)
    }
    if (spent) {
      row.refused += 1
      return
    }
    row.requests += requests
    row.bytes += bytes
    if (address !== undefined) addVisitor(row.visitors, this.#salt(row), address)
  }

  /** Writes what was noted since the last flush. What cannot be written is kept for the next one. */
  flush(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    const rows = this.#rows
    if (rows.size === 0) return
    this.#rows = new Map()
    try {
      await this.#parts.write([...rows.values()])
    } catch (error) {
      this.#parts.log.error({ err: error }, 'could not write the use of shares')
      // What was noted meanwhile is fewer seconds old, and goes instead where there is no room for both.
      for (const [key, row] of rows) if (!this.#rows.has(key) && this.#rows.size < MOST_ROWS) this.#rows.set(key, row)
    }
  }

  #row(shareId: string): UseRow {
    const day = new Date(this.#now()).toISOString().slice(0, 10)
    const key = `${day} ${shareId}`
    const known = this.#rows.get(key)
    if (known) return known
    if (this.#rows.size >= MOST_ROWS) void this.flush()
    const row = { shareId, day, requests: 0, bytes: 0, refused: 0, visitors: newSketch(), near: null, spent: null }
    this.#rows.set(key, row)
    return row
  }

  /** Another one each day, for each share. */
  #salt({ shareId, day }: UseRow): string {
    return createHmac('sha256', this.#parts.secret)
      .update(`visitors of a share\n${day}\n${shareId}`)
      .digest('base64url')
  }
}

function toReached({ policy, limit, remaining }: Decision['rules'][number]): ReachedLimit | null {
  const name = names.get(policy)
  return name ? { name, limit, used: limit - remaining } : null
}
