import { TRPCError } from '@trpc/server'
import { isSuperadmin } from '#server/accounts/viewer.ts'
import { type RefusalData, refusalMessage, refusalOf } from '#server/limits/describe.ts'
import type { RuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Context } from './context.ts'

/** What every procedure states in its meta: what it costs, or why it costs nothing. */
export type Meta = { limits: readonly RuleSet[] } | { limits: 'none'; reason: string }

/** Why a call was refused; the error formatter puts it into the error's data. */
export class LimitRefusal extends Error {
  override name = 'LimitRefusal'
  readonly refusal: RefusalData

  constructor(refusal: RefusalData) {
    super(refusalMessage(refusal))
    this.refusal = refusal
  }
}

const compiled = new WeakMap<readonly RuleSet[], readonly CompiledRuleSet[]>()

/** Takes one permit from every rule of `ruleSets`, or throws TOO_MANY_REQUESTS having taken none. Superadmins are free. */
export async function charge(ctx: Context, path: string, ruleSets: readonly RuleSet[]): Promise<void> {
  if (isSuperadmin(ctx.viewer)) return
  const decision = await ctx.app.limiter.take(compile(path, ruleSets), ctx.caller)
  ctx.decisions.push(decision)
  const refusal = refusalOf(decision)
  if (!refusal) return
  const cause = new LimitRefusal(refusal)
  throw new TRPCError({ code: 'TOO_MANY_REQUESTS', message: cause.message, cause })
}

function compile(path: string, ruleSets: readonly RuleSet[]): readonly CompiledRuleSet[] {
  const known = compiled.get(ruleSets)
  if (known) return known
  const fresh = compileRuleSets(path, ruleSets)
  compiled.set(ruleSets, fresh)
  return fresh
}
