import type { AnyProcedure, AnyRouter } from '@trpc/server'
import { octetInputParser } from '@trpc/server/http'
import { z } from 'zod'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import { InvalidRuleSet } from '#server/limits/rules/compile.ts'
import { type CompiledRuleSet, usesInput } from '#server/limits/rules/compiled.ts'
import { checkNames, type Declared } from '#server/limits/rules/names.ts'
import { compiledFor, type Meta } from './limit.ts'

/** What a procedure declares, checked: its rule sets, or the reason why it has none. */
export interface DeclaredLimits {
  readonly path: string
  readonly procedure: AnyProcedure
  readonly ruleSets: readonly CompiledRuleSet[]
  /** The same as they are written. */
  readonly declared: readonly AnyRuleSet[]
  readonly reason: string | null
  /** What a token must be for, to call it. */
  readonly scope: Meta['scope']
}

/** Walks a router. Throws for a procedure that declares nothing, and InvalidRuleSet for one whose rules cannot work, or mean
 *  by a name something else than another procedure, or `elsewhere`: what is charged by routes, or within procedures. */
export function declaredLimits(router: AnyRouter, elsewhere: readonly Declared[] = []): readonly DeclaredLimits[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures
  const declared = Object.entries(procedures).map(([path, procedure]): DeclaredLimits => {
    const meta: unknown = procedure._def.meta
    if (!isMeta(meta))
      throw new Error(`${path} declares no limits: say .meta({ limits: […] }), or 'none' with a reason`)
    const { scope } = meta
    if (meta.limits === 'none') {
      if (!meta.reason) throw new Error(`${path} says no reason why it needs no limits`)
      return { path, procedure, ruleSets: [], declared: [], reason: meta.reason, scope }
    }
    if (meta.limits.length === 0) throw new Error(`${path} lists no limits: say 'none' with a reason`)
    const ruleSets = compiledFor(path, meta.limits)
    if (usesInput(ruleSets)) checkInput(path, inputsOf(procedure), meta.input)
    return { path, procedure, ruleSets, declared: meta.limits, reason: null, scope }
  })
  checkNames([...declared.map(({ path, ruleSets }) => ({ procedure: path, sets: ruleSets })), ...elsewhere])
  return declared
}

/** Arguments are counted before the work, so they must be there by then, and be what the procedure takes. */
function checkInput(path: string, inputs: readonly unknown[], schema: z.ZodType | undefined): void {
  if (inputs.includes(octetInputParser))
    throw new InvalidRuleSet(
      path,
      'has limits that look at the input, but takes a stream, which is not read before the decision',
    )
  if (!schema)
    throw new InvalidRuleSet(
      path,
      'has limits that look at the input, but names no schema: say .meta(limitsFor(schema, […]))',
    )
  if (!inputs.includes(schema))
    throw new InvalidRuleSet(path, 'has limits that look at a schema which is none of its inputs: say .input(schema)')
}

function inputsOf(procedure: AnyProcedure): readonly unknown[] {
  const def: unknown = procedure._def
  return z.object({ inputs: z.array(z.unknown()) }).parse(def).inputs
}

function isMeta(meta: unknown): meta is Meta {
  return typeof meta === 'object' && meta !== null && 'limits' in meta && meta.limits !== undefined
}
