import { z } from 'zod'
import { type Actor, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import type { WrittenOverride } from './override-rules.ts'
import { parsePlace } from './override-target.ts'
import { type OverrideTerms, termsSchema } from './override-terms.ts'

/** A stored override. Its terms are null if this version of the code does not understand them. */
export interface StoredOverride extends Omit<WrittenOverride, 'terms'> {
  readonly terms: OverrideTerms | null
  readonly note: string | null
  readonly changedAt: Date
  readonly changedBy: string
}

/** Every process keeps all of them in memory and reads them again on every change. */
export const MOST_OVERRIDES = 1_000

/** Returns all overrides by rule set and place, except those whose place this version of the code does not understand. */
export async function readOverrides(db: PrismaClient): Promise<readonly StoredOverride[]> {
  const rows = await db.limitOverride.findMany({ orderBy: [{ ruleSet: 'asc' }, { target: 'asc' }] })
  return rows.flatMap(({ terms, target: text, ...row }) => {
    const place = parsePlace(text)
    return place ? [{ ...row, ...place, terms: termsSchema.safeParse(terms).data ?? null }] : []
  })
}

interface Change {
  readonly ruleSet: string
  /** As stored (placeText). */
  readonly place: string
  /** The new terms; null to return to the declared ones. */
  readonly to: { readonly terms: OverrideTerms; readonly note: string | null } | null
}

/** Writes or removes an override and its audit entry in one transaction. Changes are serialized, so each one's `before`
 *  is the previous one's `after`. Removing a missing override does nothing. Returns false when there are too many to
 *  add another. */
export async function writeOverride(db: PrismaClient, actor: Actor, { ruleSet, place, to }: Change): Promise<boolean> {
  const id = { ruleSet_target: { ruleSet, target: place } }
  return transact(db, async (tx) => {
    // Blocks other writers, but not readers.
    await tx.$executeRaw`LOCK TABLE "LimitOverride" IN SHARE ROW EXCLUSIVE MODE`
    const row = await tx.limitOverride.findUnique({ where: id, select: { terms: true, note: true } })
    if (!row && !to) return true
    if (!row && (await tx.limitOverride.count()) >= MOST_OVERRIDES) return false
    const after = to && { terms: asJson(to.terms), note: to.note }
    if (after) {
      const data = { ...after, changedAt: new Date(), changedBy: actor.username }
      await tx.limitOverride.upsert({ where: id, create: { ruleSet, target: place, ...data }, update: data })
    } else {
      await tx.limitOverride.delete({ where: id })
    }
    const before = row && { terms: z.json().parse(row.terms), note: row.note }
    const action = to ? 'limits.override' : 'limits.clear'
    await writeAudit(tx, actor, { action, target: `${ruleSet}/${place}`, before, after })
    return true
  })
}

/** Returns terms as stored, without undefined fields. */
function asJson(terms: unknown) {
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(terms)))
}
