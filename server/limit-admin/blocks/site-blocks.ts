import type { PrismaClient } from '#server/database/database.ts'
import type { ShownSubject } from '../shown-subject.ts'

/** How many accounts are listed. */
const MOST = 1_000

/** Returns the banned accounts, those banned last first, each with who has banned it. */
export async function readBans(db: PrismaClient) {
  const users = await db.user.findMany({
    where: { bannedAt: { not: null } },
    orderBy: [{ bannedAt: 'desc' }, { id: 'asc' }],
    take: MOST + 1,
    select: { id: true, username: true, bannedAt: true, banReason: true },
  })
  const listed = users.slice(0, MOST)
  const target = { in: listed.map(({ id }) => `user/${id}`) }
  const acts =
    listed.length === 0
      ? []
      : await db.auditEntry.findMany({
          where: { action: 'user.ban', target },
          orderBy: { id: 'asc' },
          select: { target: true, actorName: true },
        })
  const actors = new Map(acts.map((act) => [act.target, act.actorName]))
  const blocks = listed.map(({ id, username, bannedAt, banReason }) => {
    const subject: ShownSubject = { key: id, kind: 'user', name: username }
    const by = actors.get(`user/${id}`) ?? null
    return { id, subject, since: bannedAt?.toISOString() ?? null, by, note: banReason }
  })
  return { blocks, isWhole: users.length <= MOST }
}

/** Returns the ranges of addresses that may not reach the site. */
export async function readRanges(db: PrismaClient) {
  const rules = await db.accessRule.findMany({ where: { verdict: 'deny' }, orderBy: { cidr: 'asc' } })
  return rules.map(({ cidr, note, changedAt, changedBy }) => {
    return { id: cidr, since: changedAt.toISOString(), by: changedBy, note }
  })
}
