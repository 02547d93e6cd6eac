import { z } from 'zod'
import { type Actor, writeAudit } from '#server/audit/audit.ts'
import { type Cidr, cidrText, parseCidr } from '#server/cidr.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { invalid } from '#server/errors/invalid.ts'
import type { Verdict } from './address-tree.ts'
import { type HotlinkRule, NO_HOTLINK_RULE } from './hotlink.ts'

/** A range of addresses that is allowed or blocked. */
export interface AccessRule {
  readonly cidr: Cidr
  readonly verdict: Verdict
  readonly note: string | null
  readonly changedAt: Date
  readonly changedBy: string
}

export interface AccessRows {
  readonly rules: readonly AccessRule[]
  readonly hotlink: HotlinkRule
}

/** Every process keeps all of them in memory. */
export const MOST_RULES = 1_000

const verdictSchema = z.enum(['allow', 'deny'])

/** A host, or `*.` and a host for all of its subdomains. */
export const siteSchema = z
  .string()
  .trim()
  .toLowerCase()
  .max(253)
  .regex(/^(\*\.)?([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, {
    error: invalid('site'),
  })

export const hotlinkSchema = z.strictObject({
  isOn: z.boolean(),
  sites: z.array(siteSchema).max(100),
  allowsEmpty: z.boolean(),
  answer: z.enum(['refusal', 'placeholder']),
})

/** Returns all rules. Skips those that this version of the code does not understand. */
export async function readAccess(db: Pick<PrismaClient, 'accessRule' | 'hotlinkRule'>): Promise<AccessRows> {
  const rows = await db.accessRule.findMany({ orderBy: { cidr: 'asc' } })
  const hotlink = await db.hotlinkRule.findUnique({ where: { id: 1 }, select: { terms: true } })
  return {
    rules: rows.flatMap(({ cidr: text, verdict, ...row }) => {
      const cidr = parseCidr(text)
      const known = verdictSchema.safeParse(verdict).data
      return cidr && known ? [{ ...row, cidr, verdict: known }] : []
    }),
    hotlink: hotlinkSchema.safeParse(hotlink?.terms).data ?? NO_HOTLINK_RULE,
  }
}

interface RuleChange {
  readonly cidr: Cidr
  /** The new rule; null removes it. */
  readonly to: Pick<AccessRule, 'verdict' | 'note'> | null
  /** Whether the resulting rules are acceptable; called inside the transaction. */
  readonly isAcceptable: (rules: readonly Pick<AccessRule, 'cidr' | 'verdict'>[]) => boolean
}

/** Writes or removes a rule and its audit entry in one transaction. Removing a missing rule does nothing. */
export async function writeRule(
  db: PrismaClient,
  actor: Actor,
  { cidr, to, isAcceptable }: RuleChange,
): Promise<'written' | 'too-many' | 'locks-out'> {
  const text = cidrText(cidr)
  return transact(db, async (tx) => {
    // Blocks other writers, but not readers.
    await tx.$executeRaw`LOCK TABLE "AccessRule" IN SHARE ROW EXCLUSIVE MODE`
    const { rules } = await readAccess(tx)
    const others = rules.filter((rule) => cidrText(rule.cidr) !== text)
    const before = rules.find((rule) => cidrText(rule.cidr) === text)
    if (!before && !to) return 'written'
    if (!before && rules.length >= MOST_RULES) return 'too-many'
    if (!isAcceptable(to ? [...others, { cidr, ...to }] : others)) return 'locks-out'
    if (to) {
      const data = { ...to, changedAt: new Date(), changedBy: actor.username }
      await tx.accessRule.upsert({ where: { cidr: text }, create: { cidr: text, ...data }, update: data })
    } else {
      await tx.accessRule.delete({ where: { cidr: text } })
    }
    await writeAudit(tx, actor, {
      action: to ? 'access.setRule' : 'access.removeRule',
      target: text,
      before: before ? { verdict: before.verdict, note: before.note } : null,
      after: to && { verdict: to.verdict, note: to.note },
    })
    return 'written'
  })
}

/** Writes the hotlink rule and its audit entry. */
export async function writeHotlink(db: PrismaClient, actor: Actor, rule: HotlinkRule): Promise<void> {
  await transact(db, async (tx) => {
    await tx.$executeRaw`LOCK TABLE "HotlinkRule" IN SHARE ROW EXCLUSIVE MODE`
    const { hotlink: before } = await readAccess(tx)
    const terms = { ...rule, sites: [...rule.sites] }
    const data = { terms, changedAt: new Date(), changedBy: actor.username }
    await tx.hotlinkRule.upsert({ where: { id: 1 }, create: { id: 1, ...data }, update: data })
    const was = { ...before, sites: [...before.sites] }
    await writeAudit(tx, actor, { action: 'access.setHotlink', target: 'hotlink', before: was, after: terms })
  })
}
