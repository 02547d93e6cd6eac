import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'
import { Prisma } from '../../../generated/prisma/client.ts'
import { usernameKey } from '../credentials.ts'
import { roleSchema, userStates } from '../roles.ts'

const { sql } = Prisma

const text = z
  .string()
  .max(100)
  .regex(/^[^\0]*$/)

/** The last user of a page: the value that the list is ordered by, and the ID. */
const position = z.tuple([text, z.uuid()])
type Position = z.output<typeof position>

export const encodePosition = (last: Position): string => Buffer.from(JSON.stringify(last)).toString('base64url')

const cursor = z
  .string()
  .max(400)
  .transform((encoded, ctx): Position => {
    const decoded = position.safeParse(parse(Buffer.from(encoded, 'base64url').toString()))
    if (decoded.success) return decoded.data
    ctx.addIssue(invalid('cursor'))
    return z.NEVER
  })

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}

export const userFilter = z.strictObject({
  /** Part of a user name or display name. */
  search: text.optional(),
  role: roleSchema.optional(),
  state: z.enum(userStates).optional(),
  /** Of the quota that applies: some storage used, none, at least 90 %, or more than all of it. */
  use: z.enum(['some', 'none', 'near', 'over']).optional(),
  /** Within the last day, 7 days or 30 days, or not for 90 days. */
  seen: z.enum(['day', 'week', 'month', 'idle']).optional(),
  sort: z.enum(['name', 'seen', 'used', 'joined']).default('name'),
  cursor: cursor.optional(),
  limit: z.number().int().min(1).max(100).default(50),
})

export type UserFilter = z.output<typeof userFilter>

interface Facts {
  /** False for viewers of a shared account: to them nobody has ever been seen. */
  readonly isPersonal: boolean
  /** The quota in bytes of users without their own; null for unlimited. */
  readonly siteQuota: number | null
}

const seenColumn = ({ isPersonal }: Facts) => (isPersonal ? sql`"lastSeenAt"` : sql`NULL::timestamptz`)

/** Returns the condition for the users that match, on whatever page. */
export function matching({ search, role, state, use, seen }: UserFilter, facts: Facts): Prisma.Sql {
  const seenAt = seenColumn(facts)
  const quota = sql`COALESCE("quotaBytes", ${facts.siteQuota}::bigint)`
  const states = {
    active: sql`"bannedAt" IS NULL`,
    banned: sql`"bannedAt" IS NOT NULL`,
    shared: sql`"shared"`,
    never: sql`${seenAt} IS NULL`,
  }
  const uses = {
    some: sql`"usedBytes" > 0`,
    none: sql`"usedBytes" = 0`,
    near: sql`"usedBytes" >= ${quota} * 0.9 AND "usedBytes" > 0`,
    over: sql`"usedBytes" > ${quota}`,
  }
  const times = {
    day: sql`${seenAt} > now() - interval '1 day'`,
    week: sql`${seenAt} > now() - interval '7 days'`,
    month: sql`${seenAt} > now() - interval '30 days'`,
    idle: sql`${seenAt} <= now() - interval '90 days'`,
  }
  const parts = [
    sql`"guestUntil" IS NULL`,
    ...(search ? [containing(search)] : []),
    ...(role ? [sql`"role" = ${role}::"Role"`] : []),
    ...(state ? [states[state]] : []),
    ...(use ? [uses[use]] : []),
    ...(seen ? [times[seen]] : []),
  ]
  return Prisma.join(parts, ' AND ')
}

function containing(search: string): Prisma.Sql {
  const pattern = `%${usernameKey(search).replaceAll(/[\\%_]/g, '\\$&')}%`
  return sql`("usernameKey" LIKE ${pattern} OR lower("displayName") LIKE ${pattern})`
}

/** The value that the list is ordered by, its order, and the condition for the users after the cursor. */
export function ordering({ sort, cursor }: UserFilter, facts: Facts) {
  const millis = (at: Prisma.Sql) => sql`COALESCE((EXTRACT(EPOCH FROM ${at}) * 1000)::bigint, -1)`
  const keys = {
    name: sql`"usernameKey"`,
    seen: millis(seenColumn(facts)),
    used: sql`"usedBytes"`,
    joined: millis(sql`"createdAt"`),
  }
  const key = keys[sort]
  if (sort === 'name') {
    return {
      key,
      order: sql`${key}, "id"`,
      after: cursor ? sql`(${key}, "id") > (${cursor[0]}, ${cursor[1]}::uuid)` : null,
    }
  }
  const order = sql`${key} DESC, "id" DESC`
  if (!cursor) return { key, order, after: null }
  const value = /^-?\d{1,18}$/.test(cursor[0]) ? BigInt(cursor[0]) : 0n
  return { key, order, after: sql`(${key}, "id") < (${value}::bigint, ${cursor[1]}::uuid)` }
}
