import { z } from 'zod'
import { Prisma } from '../../generated/prisma/client.ts'
import { NOBODY } from './audit.ts'

/** An entry as procedures return it. */
export interface AuditItem {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  /** The last of several acts that the entry counts, ISO 8601; null for one. */
  readonly until: string | null
  readonly times: number
  /** An action of a newer version may be unknown. */
  readonly action: string
  /** Names are those at the time. The ID is null for the command line, and for failed sign-ins. */
  readonly actor: { readonly id: string | null; readonly name: string }
  readonly account: { readonly id: string; readonly name: string } | null
  readonly target: string
  readonly before: z.output<typeof state>
  readonly after: z.output<typeof state>
  readonly address: string | null
  readonly userAgent: string | null
  readonly token: { readonly id: string; readonly name: string } | null
  readonly requestId: string
}

export const entryColumns = Prisma.sql`
  "id"::text, "at", "until", "times", "action", "actorId"::text, "actorName", "accountId"::text, "accountName", "target",
  "before", "after", "address", "userAgent", "tokenId"::text, "tokenName", "requestId"`

const state = z.json().nullable()

export const entryRow = z.object({
  id: z.string(),
  at: z.date(),
  until: z.date().nullable(),
  times: z.number(),
  action: z.string(),
  actorId: z.string(),
  actorName: z.string(),
  accountId: z.string().nullable(),
  accountName: z.string().nullable(),
  target: z.string(),
  before: state,
  after: state,
  address: z.string().nullable(),
  userAgent: z.string().nullable(),
  tokenId: z.string().nullable(),
  tokenName: z.string().nullable(),
  requestId: z.string(),
})

export type EntryRow = z.output<typeof entryRow>

export function toAuditItem(row: EntryRow): AuditItem {
  const { id, at, until, times, action, actorId, accountId, target, before, after, address, userAgent, requestId } = row
  return {
    ...{ id, action, times, target, before, after, address, userAgent, requestId },
    at: at.toISOString(),
    until: until?.toISOString() ?? null,
    actor: { id: actorId === NOBODY ? null : actorId, name: row.actorName },
    account: accountId === null ? null : { id: accountId, name: row.accountName ?? '' },
    token: row.tokenId === null ? null : { id: row.tokenId, name: row.tokenName ?? '' },
  }
}
