import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { type AddedSet, addedSetSchema, procedureAt } from '../added/added-set.ts'
import { limitAdminView } from '../limits.ts'
import { type OverridePlace, type OverrideTarget, parsePlace, ruleSetSchema } from './override-target.ts'
import { type OverrideTerms, termsSchema } from './override-terms.ts'
import { createTargetNamer, type TargetNamer } from './target-namer.ts'

const input = z.strictObject({
  ruleSet: ruleSetSchema.optional(),
  /** The ID of the last entry of the previous page. */
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .optional(),
  limit: z.int().min(1).max(100).default(30),
})

const actions = [
  'limits.override',
  'limits.clear',
  'limits.setRuleSet',
  'limits.removeRuleSet',
  'limits.reset',
] as const

export interface HistoryItem {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  /** Who made the change, by their name at the time. */
  readonly actor: string
  readonly action: (typeof actions)[number]
  readonly ruleSet: string
  /** The procedure or route that was overridden alone; absent for all that share the set. */
  readonly procedure?: string | undefined
  readonly target: OverrideTarget
  readonly subjectName: string | null
  /** The terms before and after; null for none. */
  readonly before: OverrideTerms | null
  readonly after: OverrideTerms | null
  /** The same of a rule set that was added at run time. */
  readonly setBefore: AddedSet | null
  readonly setAfter: AddedSet | null
  readonly note: string | null
  readonly noteBefore: string | null
  /** Whether what was there before can be put back: not usage that was reset, nor what this version of the code does not
   *  understand. */
  readonly canUndo: boolean
}

/** `nextCursor` is null on the last page. */
export interface HistoryPage {
  readonly items: readonly HistoryItem[]
  readonly nextCursor: string | null
}

/** Returns the changes to limits, newest first. */
export const readHistory = superadminProcedure
  .meta({ limits: limitAdminView })
  .input(input.prefault({}))
  .query(async ({ ctx, input }): Promise<HistoryPage> => {
    const { ruleSet, cursor, limit } = input
    const rows = await ctx.app.db.auditEntry.findMany({
      where: {
        action: { in: [...actions] },
        ...(ruleSet !== undefined && { target: { startsWith: `${ruleSet.replaceAll(/[\\%_]/g, '\\$&')}/` } }),
        ...(cursor !== undefined && { id: { lt: BigInt(cursor) } }),
      },
      orderBy: { id: 'desc' },
      take: limit + 1,
    })
    const page = rows.slice(0, limit)
    const entries = page.map((row) => ({ ...row, ...splitTarget(row.target) }))
    const { db, config } = ctx.app
    const targets = entries.map(({ target }) => target)
    const nameTarget = await createTargetNamer(db, config.origin, targets, ctx.viewer)
    return {
      items: entries.map((entry) => historyItem(entry, nameTarget)),
      nextCursor: rows.length > limit ? String(page.at(-1)?.id) : null,
    }
  })

const kept = z.object({
  terms: z.union([termsSchema.transform((terms) => ({ terms })), addedSetSchema.transform((set) => ({ set }))]),
  note: z.string().nullable(),
})

interface Entry extends OverridePlace {
  readonly id: bigint
  readonly at: Date
  readonly actorName: string
  readonly action: string
  readonly ruleSet: string
  readonly isKnown: boolean
  readonly before: unknown
  readonly after: unknown
}

function historyItem(entry: Entry, nameTarget: TargetNamer): HistoryItem {
  const { id, at, actorName, action, ruleSet, procedure, target, isKnown } = entry
  const [before, after] = [entry.before, entry.after].map((state) => kept.safeParse(state).data ?? null)
  return {
    id: String(id),
    at: at.toISOString(),
    actor: actorName,
    action: z.enum(actions).parse(action),
    ruleSet,
    procedure,
    target,
    subjectName: nameTarget(target).name,
    before: overrideIn(before),
    after: overrideIn(after),
    setBefore: setIn(before),
    setAfter: setIn(after),
    note: after?.note ?? null,
    noteBefore: before?.note ?? null,
    canUndo: action !== 'limits.reset' && isKnown && (before !== null || entry.before === null),
  }
}

type Kept = z.output<typeof kept> | null | undefined

const overrideIn = (state: Kept): OverrideTerms | null => (state && 'terms' in state.terms ? state.terms.terms : null)
const setIn = (state: Kept): AddedSet | null => (state && 'set' in state.terms ? state.terms.set : null)

/** Splits a target; rule sets have no slash in their names. A target that this version of the code does not understand
 *  becomes 'all'. */
function splitTarget(text: string): { readonly ruleSet: string; readonly isKnown: boolean } & OverridePlace {
  const at = text.indexOf('/')
  const place = text.slice(at + 1)
  const procedure = procedureAt(place) ?? undefined
  const parsed = parsePlace(place)
  const isKnown = parsed !== null || procedure !== undefined
  return { ruleSet: text.slice(0, at), isKnown, ...(parsed ?? { target: { kind: 'all' }, procedure }) }
}
