import { TRPCError } from '@trpc/server'
import type { z } from 'zod'
import type { Scope } from '#server/accounts/viewer.ts'
import type { AuditAction } from '#server/audit/actions.ts'
import { refusalMessage } from '#server/errors/refusal-message.ts'
import type { Decision } from '#server/limits/decision.ts'
import { type RefusalData, refusalOf } from '#server/limits/describe.ts'
import type { AnyRuleSet, InputRuleSet } from '#server/limits/rule-set.ts'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'

/** The meta of every procedure: its rule sets, or the reason why it has none, the scope of tokens that may call it, and what it
 *  records. */
export type Meta = {
  readonly scope?: Scope | 'any'
  /** What a call gets instead when `ctx.degraded` is set, in words. Without one, its sets cannot degrade. */
  readonly cheaperAnswer?: string
  /** The act that a mutation records (server/audit/), or the reason why it records none. Every mutation has one. */
  readonly audit?: AuditAction | { readonly none: string }
  /** `fresh`: the user has to have proven who they are in the last ten minutes, because a session left open in a browser must not be
   *  enough. `password`: the input has the current password, which is checked each time. Tokens make neither kind of call. */
  readonly proof?: 'fresh' | 'password'
  /** Open to a session that has to set up a second factor before anything else. */
  readonly settingUp?: boolean
} & Limits

type Limits =
  | {
      readonly limits: readonly AnyRuleSet[]
      /** A schema of the procedure's input, needed when rule sets count its arguments or compute a cost from it; see
       *  `limitsFor`. */
      readonly input?: z.ZodType
    }
  | { readonly limits: 'none'; readonly reason: string }

/** Returns the meta of a procedure whose rule sets depend on its input. `input` must be one of its input schemas. */
export function limitsFor<Schema extends z.ZodType>(
  input: Schema,
  limits: readonly InputRuleSet<z.output<Schema>>[],
): Extract<Limits, { readonly limits: readonly AnyRuleSet[] }> {
  return { limits, input }
}

/** The limit that refused a call; the error formatter adds it to the error's data. */
export class LimitRefusal extends Error {
  override name = 'LimitRefusal'
  readonly refusal: RefusalData

  constructor(refusal: RefusalData) {
    super(refusalMessage(refusal))
    this.refusal = refusal
  }
}

/** Returns the error for a refused call; null if the decision allows it. */
export function tooManyRequests(decision: Decision): TRPCError | null {
  const refusal = refusalOf(decision)
  if (!refusal) return null
  const cause = new LimitRefusal(refusal)
  return new TRPCError({ code: 'TOO_MANY_REQUESTS', message: cause.message, cause })
}

const compiled = new WeakMap<readonly AnyRuleSet[], Map<string, readonly CompiledRuleSet[]>>()

/** Compiles declared rule sets, once per path. A set without a name gets the procedure's path as its name. */
export function compiledFor(path: string, ruleSets: readonly AnyRuleSet[]): readonly CompiledRuleSet[] {
  const byPath = compiled.get(ruleSets) ?? new Map<string, readonly CompiledRuleSet[]>()
  compiled.set(ruleSets, byPath)
  const sets = byPath.get(path) ?? compileRuleSets(path, ruleSets)
  byPath.set(path, sets)
  return sets
}
