import { z } from 'zod'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { type AuditedAccount, NOBODY, toStoredAgent } from './audit.ts'
import { type FailedSignIn, failedActions, type Place, Places } from './failed-places.ts'

/** Failures of one kind that were counted together. */
export interface FailedEntry extends FailedSignIn {
  readonly at: Date
  readonly until: Date
  readonly times: number
}

const updatedRows = z.array(z.object({ id: z.string() }))

const HOUR_MS = 60 * 60 * 1_000

interface Sum {
  readonly place: Place
  readonly first: FailedEntry
  until: Date
  times: number
}

/** Writes failed sign-ins to the rows of the hour: new ones, or one more count in those that this process has written. */
export class FailedRows {
  readonly #db: PrismaClient
  #hour = 0
  /** Row IDs by the key of their place. */
  #ids = new Map<string, bigint>()

  constructor(db: PrismaClient) {
    this.#db = db
  }

  /** Writes all or nothing. */
  async add(entries: readonly FailedEntry[]): Promise<void> {
    if (entries.length === 0) return
    const hour = Math.floor(Date.now() / HOUR_MS)
    if (hour !== this.#hour) this.#ids = new Map()
    this.#hour = hour
    const accounts = await this.#findAccounts(entries)
    const places = new Places(this.#ids.keys())
    const sums = new Map<string, Sum>()
    for (const entry of entries) {
      const place = places.choose(entry, accounts.get(entry.usernameKey ?? '') ?? null)
      const sum = sums.get(place.key)
      if (!sum) sums.set(place.key, { place, first: entry, until: entry.until, times: entry.times })
      else sum.times += entry.times
      if (sum && entry.until > sum.until) sum.until = entry.until
    }
    const created = await transact(this.#db, (tx) => this.#write(tx, [...sums.values()]))
    for (const [key, id] of created) this.#ids.set(key, id)
  }

  async #findAccounts(entries: readonly FailedEntry[]): Promise<ReadonlyMap<string, AuditedAccount>> {
    const keys = [...new Set(entries.flatMap(({ usernameKey }) => usernameKey ?? []))]
    const where = { usernameKey: { in: keys } }
    const users = await this.#db.user.findMany({ where, select: { id: true, username: true, usernameKey: true } })
    return new Map(users.map(({ usernameKey, ...account }) => [usernameKey, account]))
  }

  async #write(tx: Transaction, sums: readonly Sum[]): Promise<readonly (readonly [string, bigint])[]> {
    const known = sums.flatMap((sum) => {
      const id = this.#ids.get(sum.place.key)
      return id === undefined ? [] : [{ ...sum, id }]
    })
    const updated = await tx.$queryRaw`
      UPDATE "AuditEntry" AS "entry"
      SET "times" = "entry"."times" + "more"."times", "until" = greatest("entry"."until", "more"."until")
      FROM unnest(
        ${known.map(({ id }) => id)}::bigint[], ${known.map(({ times }) => times)}::int[],
        ${known.map(({ until }) => until)}::timestamptz[]) AS "more" ("id", "times", "until")
      WHERE "entry"."id" = "more"."id" RETURNING "entry"."id"::text`
    const kept = new Set(updatedRows.parse(updated).map(({ id }) => BigInt(id)))
    // A row may have been deleted in the meantime.
    const added = sums.filter(({ place }) => !kept.has(this.#ids.get(place.key) ?? -1n))
    const rows = await tx.auditEntry.createManyAndReturn({ data: added.map(toColumns), select: { id: true } })
    return added.map(({ place }, at) => [place.key, rows[at]?.id ?? 0n])
  }
}

function toColumns({ place: { account, address }, first, until, times }: Sum) {
  return {
    action: failedActions[first.outcome],
    actorId: NOBODY,
    actorName: '',
    target: account ? `user/${account.id}` : first.outcome === 'wrong-setup-code' ? 'site' : 'user',
    accountId: account?.id ?? null,
    accountName: account?.username ?? null,
    after: { outcome: first.outcome },
    at: first.at,
    until: times > 1 ? until : null,
    times,
    address,
    userAgent: address === null ? null : toStoredAgent(first.userAgent),
    requestId: first.requestId,
  }
}
