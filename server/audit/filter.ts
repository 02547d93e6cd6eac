import { z } from 'zod'
import { isAdmin, isSuperadmin, type Viewer } from '#server/accounts/viewer.ts'
import { countedAs, parseAddress } from '#server/counted-address.ts'
import { invalid } from '#server/errors/invalid.ts'
import { instant } from '#server/trpc/cursor.ts'
import { Prisma } from '../../generated/prisma/client.ts'
import { auditActions, auditKinds } from './actions.ts'

const text = (most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .refine((given) => given.isWellFormed() && !given.includes('\0'), invalid('search'))

/** What entries are filtered by. Filters without an index of their own (`target` and `search`) are applied to a part of the entries
 *  at a time (read-entries.ts). */
export const auditFilter = z.strictObject({
  /** User names, of deleted accounts too, in any case. */
  actor: text(100).optional(),
  account: text(100).optional(),
  kind: z.enum(auditKinds).optional(),
  action: z.enum(auditActions).optional(),
  /** From this instant on, and before that one. */
  from: instant.optional(),
  to: instant.optional(),
  address: text(64).optional(),
  requestId: text(100).optional(),
  /** The target, or the first parts of it: `image/…`, or a rule set. */
  target: text(300).optional(),
  /** Part of a name, target, address, browser, note, or of a state before or after. */
  search: text(100).optional(),
})

export type AuditFilter = z.output<typeof auditFilter>

/** Acts that admins may see: those that they do themselves, by anyone. */
const adminActions = auditActions.filter((action) => /^(?:user|invite)\./.test(action))

/** Returns the condition for the entries that a viewer may see in the list of everyone's: superadmins all of them, admins their own
 *  acts and those on users, everyone else none. */
export function visibleTo(viewer: Viewer): Prisma.Sql {
  if (isSuperadmin(viewer)) return Prisma.sql`TRUE`
  if (!isAdmin(viewer) || viewer.shared) return Prisma.sql`FALSE`
  return Prisma.sql`("actorId" = ${viewer.userId}::uuid OR "action" IN (${Prisma.join(adminActions)}))`
}

/** Returns the conditions that an index serves. `actors` and `accounts` are the IDs of the accounts that the filter names. */
export function indexedConditions(
  { kind, action, from, to, address, requestId }: AuditFilter,
  { actors, accounts }: { readonly actors: readonly string[] | null; readonly accounts: readonly string[] | null },
): readonly Prisma.Sql[] {
  const ofKind = kind && auditActions.filter((each) => each.startsWith(`${kind}.`))
  return [
    ...(actors ? [Prisma.sql`"actorId" = ANY(${actors}::uuid[])`] : []),
    ...(accounts ? [Prisma.sql`"accountId" = ANY(${accounts}::uuid[])`] : []),
    ...(ofKind ? [Prisma.sql`"action" IN (${Prisma.join(ofKind)})`] : []),
    ...(action ? [Prisma.sql`"action" = ${action}`] : []),
    ...(from ? [Prisma.sql`"at" >= ${new Date(from)}`] : []),
    ...(to ? [Prisma.sql`"at" < ${new Date(to)}`] : []),
    ...(address ? [Prisma.sql`"address" = ${asStored(address)}`] : []),
    ...(requestId ? [Prisma.sql`"requestId" = ${requestId}`] : []),
  ]
}

/** Returns the conditions without an index. */
export function scannedConditions({ target, search }: AuditFilter): readonly Prisma.Sql[] {
  const pattern = search && `%${search.replaceAll(/[\\%_]/g, '\\$&')}%`
  return [
    ...(target ? [Prisma.sql`("target" = ${target} OR starts_with("target", ${`${target}/`}))`] : []),
    ...(pattern
      ? [
          Prisma.sql`concat_ws(' ', "actorName", "accountName", "action", "target", "address", "userAgent", "tokenName",
            "requestId", "before"::text, "after"::text) ILIKE ${pattern}`,
        ]
      : []),
  ]
}

/** Entries have addresses as limits count them: an IPv6 address by its /64. */
function asStored(address: string): string {
  const parsed = parseAddress(address.replace(/\/64$/, ''))
  return parsed ? countedAs(parsed) : address
}
