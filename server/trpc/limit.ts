import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import type { Scope } from '#server/accounts/viewer.ts'
import type { Decision } from '#server/limits/decision.ts'
import { type RefusalData, refusalMessage, refusalOf } from '#server/limits/describe.ts'
import type { AnyRuleSet, InputRuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'

/** What every procedure states in its meta: what it costs, or why it costs nothing, and which tokens may call it. */
export type Meta = { readonly scope?: Scope | 'any' } & Limits

type Limits =
  | {
      readonly limits: readonly AnyRuleSet[]
      /** One of the procedure's inputs, where rule sets count its arguments or cost what it says; see `limitsFor`. */
      readonly input?: z.ZodType
    }
  | { readonly limits: 'none'; readonly reason: string }

/** The meta of a procedure whose rule sets count arguments, or cost what its input says. The schema is its input too. */
export function limitsFor<Schema extends z.ZodType>(
  input: Schema,
  limits: readonly InputRuleSet<z.output<Schema>>[],
): Extract<Limits, { readonly limits: readonly AnyRuleSet[] }> {
  return { limits, input }
}

/** Why a call was refused; the error formatter puts it into the error's data. */
export class LimitRefusal extends Error {
  override name = 'LimitRefusal'
  readonly refusal: RefusalData

  constructor(refusal: RefusalData) {
    super(refusalMessage(refusal))
    this.refusal = refusal
  }
}

/** What a refused call throws; null for a decision that allows. */
export function tooManyRequests(decision: Decision): TRPCError | null {
  const refusal = refusalOf(decision)
  if (!refusal) return null
  const cause = new LimitRefusal(refusal)
  return new TRPCError({ code: 'TOO_MANY_REQUESTS', message: cause.message, cause })
}

const compiled = new WeakMap<readonly AnyRuleSet[], Map<string, readonly CompiledRuleSet[]>>()

/** Declared rule sets as the limiter takes them, checked once; one without a name has that of the procedure. */
export function compiledFor(path: string, ruleSets: readonly AnyRuleSet[]): readonly CompiledRuleSet[] {
  const byPath = compiled.get(ruleSets) ?? new Map<string, readonly CompiledRuleSet[]>()
  compiled.set(ruleSets, byPath)
  const sets = byPath.get(path) ?? compileRuleSets(path, ruleSets)
  byPath.set(path, sets)
  return sets
}
