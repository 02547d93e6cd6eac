import { callerByToken } from '#server/accounts/tokens/token-limits.ts'
import { isUnlimited, type Viewer } from '#server/accounts/viewer.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { RuleReport } from '#server/limits/decision.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Context } from '#server/trpc/context.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import type { Catalogue, DeclaringPart } from './catalogue.ts'
import { limitAdminView } from './limits.ts'

export interface MyLimits {
  /** No limit of one's own holds: only those of the token are told, where there is one. */
  readonly isUnlimited: boolean
  /** Every rule that the caller's uploads, reads and changes are charged to, with what remains of it now. */
  readonly rules: readonly RuleReport[]
}

/** What remains for the caller of the rule sets that a program by their token, or they themselves, take from. Charges none of them. */
export const myLimits = publicProcedure
  .meta({ limits: limitAdminView, scope: 'any' })
  .query(async ({ ctx }): Promise<MyLimits> => {
    const { rules } = await ctx.app.limiter.peek(requestsOf(ctx))
    return { isUnlimited: isUnlimited(ctx.viewer), rules }
  })

function requestsOf({ app, caller, viewer }: Context): readonly LimitRequest[] {
  const { catalogue } = app.limitAdmin
  const own = isUnlimited(viewer) ? [] : [{ sets: setsOf(catalogue, viewer, 'accounts'), caller }]
  if (!viewer?.token) return own
  return [...own, { sets: setsOf(catalogue, viewer, 'tokens'), caller: callerByToken(viewer.token) }]
}

/** What counts an argument has no one number that remains. */
function setsOf({ ruleSets }: Catalogue, viewer: Viewer | null, of: 'accounts' | 'tokens'): readonly CompiledRuleSet[] {
  const isOf = ({ isForTokens = false }: DeclaringPart) => isForTokens === (of === 'tokens')
  return [...ruleSets.values()]
    .filter(({ uses }) => uses.some(({ part }) => isOf(part) && isOpenTo(part, viewer)))
    .flatMap(({ compiled }) => compiled)
    .filter(({ facts }) => typeof facts.by === 'string')
    .map(ofOnePermit)
}

function isOpenTo({ scope }: DeclaringPart, viewer: Viewer | null): boolean {
  if (scope === undefined) return false
  if (viewer === null) return scope === 'read' || scope === 'any'
  return viewer.token === null || scope === 'any' || viewer.token.scopes.includes(scope)
}

const uncosted = new WeakMap<CompiledRuleSet, CompiledRuleSet>()

/** Nobody calls, so that there is no input of which a cost could be made. One and the same set each time: keys are remembered by it. */
function ofOnePermit(set: CompiledRuleSet): CompiledRuleSet {
  if (typeof set.facts.cost !== 'function') return set
  const plain = uncosted.get(set) ?? { ...set, facts: { ...set.facts, cost: 1 } }
  uncosted.set(set, plain)
  return plain
}
