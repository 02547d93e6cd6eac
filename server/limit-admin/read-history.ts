import { z } from 'zod'
import { superadminProcedure } from '#server/trpc/init.ts'
import { limitAdminView } from './limits.ts'
import { type OverrideTarget, parseTarget, ruleSetSchema } from './override-target.ts'
import { type OverrideTerms, termsSchema } from './override-terms.ts'
import { type SubjectTeller, subjectTeller } from './shown-subject.ts'

const input = z.strictObject({
  ruleSet: ruleSetSchema.optional(),
  /** The last entry's id. */
  cursor: z
    .string()
    .regex(/^[1-9]\d{0,17}$/)
    .optional(),
  limit: z.int().min(1).max(100).default(30),
})

const actions = ['limits.override', 'limits.clear', 'limits.reset'] as const

export interface HistoryItem {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  /** Who did it, by the name they had. */
  readonly actor: string
  readonly action: (typeof actions)[number]
  readonly ruleSet: string
  readonly target: OverrideTarget
  readonly subjectName: string | null
  /** The terms that held before, and afterwards; null for none. */
  readonly before: OverrideTerms | null
  readonly after: OverrideTerms | null
  readonly note: string | null
}

/** `nextCursor` is null on the last page. */
export interface HistoryPage {
  readonly items: readonly HistoryItem[]
  readonly nextCursor: string | null
}

/** What was changed, newest first. */
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
    const subjects = entries.flatMap(({ target }) => (target.kind === 'subject' ? target.subject : []))
    const tell = await subjectTeller(ctx.app.db, subjects, ctx.viewer)
    return {
      items: entries.map((entry) => historyItem(entry, tell)),
      nextCursor: rows.length > limit ? String(page.at(-1)?.id) : null,
    }
  })

const kept = z.object({ terms: termsSchema, note: z.string().nullable() })

interface Entry {
  readonly id: bigint
  readonly at: Date
  readonly actorName: string
  readonly action: string
  readonly ruleSet: string
  readonly target: OverrideTarget
  readonly before: unknown
  readonly after: unknown
}

function historyItem(entry: Entry, tell: SubjectTeller): HistoryItem {
  const { id, at, actorName, action, ruleSet, target } = entry
  const [before, after] = [entry.before, entry.after].map((state) => kept.safeParse(state).data ?? null)
  return {
    id: String(id),
    at: at.toISOString(),
    actor: actorName,
    action: z.enum(actions).parse(action),
    ruleSet,
    target,
    subjectName: target.kind === 'subject' ? tell(target.subject).name : null,
    before: before?.terms ?? null,
    after: after?.terms ?? null,
    note: after?.note ?? null,
  }
}

/** Rule sets have no slash in their names. A target that this version of the code does not know is told as 'all'. */
function splitTarget(text: string): { readonly ruleSet: string; readonly target: OverrideTarget } {
  const at = text.indexOf('/')
  return { ruleSet: text.slice(0, at), target: parseTarget(text.slice(at + 1)) ?? { kind: 'all' } }
}
