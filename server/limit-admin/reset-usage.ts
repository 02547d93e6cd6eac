import { z } from 'zod'
import type { Role } from '#server/accounts/viewer.ts'
import { toActor, writeAudit } from '#server/audit/audit.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { errorText, refuse, refuseWith } from '#server/errors/refuse.ts'
import type { ErrorText } from '#server/errors/refused.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { AnyCaller } from '#server/limits/subject.ts'
import type { Context } from '#server/trpc/context.ts'
import { superadminProcedure } from '#server/trpc/init.ts'
import type { NamedRuleSet } from './catalogue.ts'
import { type CountedKey, nameOfSet, parseKey, partsOfKey } from './counted-key.ts'
import { limitAdminChange } from './limits.ts'
import { subjectProblem } from './overrides/override-problems.ts'
import { ruleSetSchema, subjectSchema } from './overrides/override-target.ts'
import { NOWHERE, type ParsedSubjectKey, parseSubject } from './subject-key.ts'

const input = z
  .strictObject({
    ruleSet: ruleSetSchema.optional(),
    subject: subjectSchema.optional(),
    /** One count by its key, as it is explained, ranked and listed among the blocks: also that of an argument. */
    key: z.string().max(500).optional(),
  })
  .refine(({ ruleSet, subject, key }) => (key === undefined ? ruleSet && subject : !ruleSet && !subject))

/** Resets what a subject has used of a rule set, its blocks included; for an address of a shared account, also what all of its
 *  addresses have used together. Or what is counted under one key. SERVICE_UNAVAILABLE while the limiter's store fails. */
export const resetUsage = superadminProcedure
  .meta({ limits: limitAdminChange, audit: 'limits.reset' })
  .input(input)
  .mutation(async ({ ctx, input }): Promise<Record<string, never>> => {
    const { app } = ctx
    const { ruleSet = '', subject: text = '', key } = input
    if (key !== undefined) return resetKey(ctx, key)
    const set = app.limitAdmin.catalogue.ruleSets.get(ruleSet)
    if (!set) throw refuse('unknown-rule-set', { ruleSet })
    const problem = resetProblem(set, text)
    if (problem) throw refuseWith(problem)
    const subject = parseSubject(text)
    if (!subject) throw new Error(`${text} is no subject, although its schema says so`)
    const callers = await possibleCallers(app.db, subject)
    await app.db.$transaction(async (tx) => {
      const target = `${set.name}/subject/${subject.key}`
      await writeAudit(tx, toActor(ctx), { action: 'limits.reset', target, before: null, after: null })
      // One after another: several callers may have the same key, which one call must not charge twice.
      for (const sets of countedApart(set, app.limitAdmin.overrides.procedures(set.name)))
        for (const caller of callers) await app.limiter.reset([{ sets, caller }])
    })
    return {}
  })

async function resetKey(ctx: Parameters<typeof toActor>[0] & Pick<Context, 'app'>, key: string) {
  const { db, limiter, limitAdmin } = ctx.app
  const counted = parseKey(key)
  const stored = await limitAdmin.overrides.load()
  const parts = counted ? partsOfKey(counted, limitAdmin.catalogue, stored) : []
  if (!counted || parts.length === 0) throw refuse('unknown-key')
  // Rules of several algorithms count under one name, each with a shape of its own.
  const byShape = new Map(parts.map(({ part }) => [part.shape, part]))
  const target = `${nameOfSet(limitAdmin.catalogue, counted.name)}/subject/${auditedSubject(counted)}`
  await db.$transaction(async (tx) => {
    await writeAudit(tx, toActor(ctx), { action: 'limits.reset', target, before: null, after: null })
    for (const [shape, part] of byShape) await limiter.resetKey(part, key.slice(0, -shape.length) + shape)
  })
  return {}
}

/** An argument that all callers share is named by its digest. */
const auditedSubject = ({ subject }: CountedKey): string => subject.slice(Math.max(0, subject.indexOf('=#') + 1))

/** The sets of one procedure for each count: what all procedures share, and each that counts by itself. */
function countedApart(
  { name, uses }: NamedRuleSet,
  apart: ReadonlySet<string>,
): readonly (readonly CompiledRuleSet[])[] {
  const counts = Map.groupBy(uses, ({ part }) => (apart.has(part.path) ? part.path : null))
  return [...counts.values()].flatMap(([use]) =>
    use ? [use.part.compiled.filter(({ facts }) => facts.name === name)] : [],
  )
}

function resetProblem(set: NamedRuleSet, subject: string): ErrorText | null {
  const { by } = set.compiled[0].facts
  if (typeof by === 'object') return errorText('usage-of-digests', { ruleSet: set.name, input: by.input })
  return subjectProblem(set, subject)
}

/** Returns the callers that a subject may stand for: overrides depend on the role, so usage is reset for each. */
async function possibleCallers(db: PrismaClient, subject: ParsedSubjectKey): Promise<readonly AnyCaller[]> {
  if (subject.kind === 'address') {
    // A rule set by address counts callers of any role.
    return [null, 'guest', 'user', 'admin'].map((role) => {
      return { address: subject.address, userId: null, shared: false, ...(role && { role }) }
    })
  }
  if (!('userId' in subject)) return [{ subjectKey: subject.key }]
  const { userId } = subject
  const user = await db.user.findUnique({ where: { id: userId }, select: { role: true, shared: true } })
  if (!user) return [{ subjectKey: subject.key }]
  return [userCaller(subject, user)]
}

/** A shared account without an address stands for what all of its addresses have used together. */
function userCaller(
  subject: Extract<ParsedSubjectKey, { userId: string }>,
  { role, shared }: { role: Role; shared: boolean },
) {
  const { userId } = subject
  return subject.kind === 'shared'
    ? { address: subject.address, userId, shared: true, role }
    : { address: NOWHERE, userId, shared, role }
}
