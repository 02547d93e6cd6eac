import { z } from 'zod'
import { type Actor, type AuditedChange, writeAudits } from '#server/audit/audit.ts'
import type { PrismaClient, Transaction } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { refuse } from '#server/errors/refuse.ts'
import { type AddedSet, addedSetSchema, procedureAt, type WrittenSet } from '../added/added-set.ts'
import type { WrittenOverride } from './override-rules.ts'
import { parsePlace } from './override-target.ts'
import { type OverrideTerms, termsSchema, withoutEndedBlock } from './override-terms.ts'

/** A stored override. Its terms are null if this version of the code does not understand them. */
export interface StoredOverride extends Omit<WrittenOverride, 'terms'> {
  readonly terms: OverrideTerms | null
  readonly note: string | null
  readonly changedAt: Date
  readonly changedBy: string
}

/** A stored rule set that was added to a procedure. Its terms are null if this version of the code does not understand them. */
export interface StoredSet extends Omit<WrittenSet, 'set'> {
  readonly set: AddedSet | null
  readonly note: string | null
  readonly changedAt: Date
  readonly changedBy: string
}

/** Every process keeps all of them in memory and reads them again on every change. */
export const MOST_OVERRIDES = 1_000

/** Returns all overrides and added sets by rule set and place, except those whose place this version of the code does not
 *  understand. */
export async function readOverrides(db: PrismaClient): Promise<readonly (StoredOverride | StoredSet)[]> {
  const rows = await db.limitOverride.findMany({ orderBy: [{ ruleSet: 'asc' }, { target: 'asc' }] })
  return rows.flatMap(({ terms, target: text, ...row }): (StoredOverride | StoredSet)[] => {
    const procedure = procedureAt(text)
    if (procedure !== null) {
      const { ruleSet: name, ...more } = row
      return [{ ...more, name, procedure, set: addedSetSchema.safeParse(terms).data ?? null }]
    }
    const place = parsePlace(text)
    return place ? [{ ...row, ...place, terms: termsSchema.safeParse(terms).data ?? null }] : []
  })
}

export interface Change {
  readonly ruleSet: string
  /** As stored (placeText, addedPlace). */
  readonly place: string
  /** The new terms; null to return to the declared ones. */
  readonly to: { readonly terms: OverrideTerms | AddedSet; readonly note: string | null } | null
}

/** Writes or removes an override or an added set and its audit entry in one transaction. Changes are serialized, so each
 *  one's `before` is the previous one's `after`. Removing a missing one does nothing. Returns false when there are too many to
 *  add another. */
export async function writeOverride(db: PrismaClient, actor: Actor, change: Change): Promise<boolean> {
  const { ruleSet, place, to } = change
  return transact(db, async (tx) => {
    await lock(tx)
    await removeEnded(tx)
    const row = await tx.limitOverride.findUnique({ where: { ruleSet_target: { ruleSet, target: place } } })
    if (!row && !to) return true
    if (!row && (await tx.limitOverride.count()) >= MOST_OVERRIDES) return false
    await writeAudits(tx, actor, await applyChanges(tx, actor, [change]))
    return true
  })
}

/** Writes all changes of an import and their audit entries in one transaction. Throws when there would be too many. */
export async function writeImport(db: PrismaClient, actor: Actor, changes: readonly Change[]): Promise<void> {
  await transact(db, async (tx) => {
    await lock(tx)
    await removeEnded(tx)
    const entries = await applyChanges(tx, actor, changes)
    if ((await tx.limitOverride.count()) > MOST_OVERRIDES) throw refuse('too-many-overrides', { limit: MOST_OVERRIDES })
    const after = { changed: changes.filter(({ to }) => to).length, removed: changes.filter(({ to }) => !to).length }
    await writeAudits(tx, actor, [...entries, { action: 'limits.import', target: 'limits', before: null, after }])
  })
}

/** Blocks other writers, but not readers. */
const lock = (tx: Transaction) => tx.$executeRaw`LOCK TABLE "LimitOverride" IN SHARE ROW EXCLUSIVE MODE`

/** Removes overrides that were nothing but a block that has ended: they say themselves when that was. */
async function removeEnded(tx: Transaction): Promise<void> {
  const now = Date.now()
  const rows = await tx.limitOverride.findMany({ select: { ruleSet: true, target: true, terms: true } })
  const ended = rows.flatMap(({ terms, ...place }) => {
    const { data } = termsSchema.safeParse(terms)
    return data && !withoutEndedBlock(data, now) ? place : []
  })
  if (ended.length > 0) await tx.limitOverride.deleteMany({ where: { OR: ended } })
}

/** Applies changes, and returns their audit entries. */
async function applyChanges(tx: Transaction, actor: Actor, changes: readonly Change[]): Promise<AuditedChange[]> {
  const places = changes.map(({ ruleSet, place: target }) => ({ ruleSet, target }))
  if (places.length === 0) return []
  const rows = await tx.limitOverride.findMany({ where: { OR: places } })
  const before = new Map(rows.map((row) => [`${row.ruleSet}/${row.target}`, row]))
  await tx.limitOverride.deleteMany({ where: { OR: places } })
  const by = { changedAt: new Date(), changedBy: actor.username }
  await tx.limitOverride.createMany({
    data: changes.flatMap(({ ruleSet, place: target, to }) => (to ? { ruleSet, target, ...asStored(to), ...by } : [])),
  })
  return changes.map(({ ruleSet, place, to }) => {
    const target = `${ruleSet}/${place}`
    const row = before.get(target)
    const actions = procedureAt(place) === null ? overriding : adding
    return {
      action: to ? actions.set : actions.removed,
      target,
      before: row ? { terms: z.json().parse(row.terms), note: row.note } : null,
      after: to && asStored(to),
    }
  })
}

const asStored = ({ terms, note }: NonNullable<Change['to']>) => ({ terms: asJson(terms), note })

const overriding = { set: 'limits.override', removed: 'limits.clear' } as const
const adding = { set: 'limits.setRuleSet', removed: 'limits.removeRuleSet' } as const

/** Returns terms as stored, without undefined fields. */
function asJson(terms: unknown) {
  return z.record(z.string(), z.json()).parse(JSON.parse(JSON.stringify(terms)))
}
