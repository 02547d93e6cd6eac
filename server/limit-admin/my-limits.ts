import { formatRule } from '#format/rules.ts'
import { callerByToken } from '#server/accounts/tokens/token-limits.ts'
import { isUnlimited, type Viewer } from '#server/accounts/viewer.ts'
import type { LimitRequest } from '#server/limits/charges.ts'
import type { RuleReport } from '#server/limits/decision.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Context } from '#server/trpc/context.ts'
import { publicProcedure } from '#server/trpc/init.ts'
import type { Catalogue, DeclaringPart } from './catalogue.ts'
import { ownLimitsView } from './limits.ts'

interface MyRule extends RuleReport {
  /** The rule in English: '100 per minute'. */
  readonly words: string
}

export interface MyLimits {
  /** True for superadmins, their tokens included. There are no `rules` then. */
  readonly isUnlimited: boolean
  /** Every rule that the caller's uploads, reads and changes are charged to, with what remains of it now. */
  readonly rules: readonly MyRule[]
}

/** Returns what remains of the caller's limits, including those of the token in use. Charges none of them. */
export const myLimits = publicProcedure
  .meta({ limits: ownLimitsView, scope: 'any' })
  .query(async ({ ctx }): Promise<MyLimits> => {
    const { rules } = await ctx.app.limiter.peek(createRequests(ctx))
    return {
      isUnlimited: isUnlimited(ctx.viewer),
      rules: rules.map((rule) => ({ ...rule, words: formatRule(rule.parts, 'en') })),
    }
  })

function createRequests({ app, caller, viewer }: Context): readonly LimitRequest[] {
  const { catalogue } = app.limitAdmin
  if (isUnlimited(viewer)) return []
  const own = [{ sets: selectSets(catalogue, viewer, 'accounts'), caller }]
  if (!viewer?.token) return own
  return [...own, { sets: selectSets(catalogue, viewer, 'tokens'), caller: callerByToken(viewer.token) }]
}

/** Leaves out rule sets that count per argument, since no single number remains of them. */
function selectSets(
  { ruleSets }: Catalogue,
  viewer: Viewer | null,
  payer: 'accounts' | 'tokens',
): readonly CompiledRuleSet[] {
  const isChargedTo = ({ isForTokens = false, isForShares }: DeclaringPart) =>
    !isForShares && isForTokens === (payer === 'tokens')
  return [...ruleSets.values()]
    .filter(({ uses }) => uses.some(({ part }) => isChargedTo(part) && isOpenTo(part, viewer)))
    .flatMap(({ compiled }) => compiled)
    .filter(({ facts }) => typeof facts.by === 'string')
    .map(withUnitCost)
}

function isOpenTo({ scope }: DeclaringPart, viewer: Viewer | null): boolean {
  if (scope === undefined) return false
  if (viewer === null) return scope === 'read' || scope === 'any'
  return viewer.token === null || scope === 'any' || viewer.token.scopes.includes(scope)
}

const unitCostSets = new WeakMap<CompiledRuleSet, CompiledRuleSet>()

/** Returns the set with a cost of one where it would be computed from an input, which there is none of. Returns the same
 *  object each time, because keys are cached by it. */
export function withUnitCost(set: CompiledRuleSet): CompiledRuleSet {
  if (typeof set.facts.cost !== 'function') return set
  const plain = unitCostSets.get(set) ?? { ...set, facts: { ...set.facts, cost: 1 } }
  unitCostSets.set(set, plain)
  return plain
}
