import type { AnyProcedure, AnyRouter } from '@trpc/server'
import { octetInputParser } from '@trpc/server/http'
import { z } from 'zod'
import type { AnyRuleSet } from '#server/limits/rule-set.ts'
import { InvalidRuleSet } from '#server/limits/rules/compile.ts'
import { type CompiledRuleSet, usesInput } from '#server/limits/rules/compiled.ts'
import { refuseBareDegrade } from '#server/limits/rules/degrade.ts'
import { checkNames, checkShared, type Declared } from '#server/limits/rules/names.ts'
import { compiledFor, type Meta } from './limit.ts'

/** The checked declaration of a procedure: its rule sets, or the reason why it has none. */
export interface DeclaredLimits {
  readonly path: string
  readonly procedure: AnyProcedure
  /** The schemas of its input, in order. */
  readonly inputs: readonly unknown[]
  readonly ruleSets: readonly CompiledRuleSet[]
  /** The rule sets before compilation. */
  readonly declared: readonly AnyRuleSet[]
  readonly reason: string | null
  /** The scope that a token needs to call it. */
  readonly scope: Meta['scope']
  readonly cheaperAnswer: Meta['cheaperAnswer']
}

/** Collects the declarations of all procedures of a router. Throws for a procedure without one, and InvalidRuleSet for
 *  rules that cannot work, for a mutation that does not say what it records, for a name that another procedure, or `routes`, uses for a different set, and for a set that
 *  one network could use up for everybody. `routes` are sets charged by routes or during procedures. */
export function declaredLimits(router: AnyRouter, routes: readonly Declared[] = []): readonly DeclaredLimits[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures
  const declared = Object.entries(procedures).map(([path, procedure]): DeclaredLimits => {
    const meta: unknown = procedure._def.meta
    if (!isMeta(meta))
      throw new Error(`${path} declares no limits: use .meta({ limits: […] }), or 'none' with a reason`)
    if (isMutation(procedure)) checkAudit(path, meta)
    if (meta.proof && meta.scope) throw new Error(`${path} asks for a proof, which no token can give, and has a scope`)
    const { scope, cheaperAnswer } = meta
    const inputs = listInputs(procedure)
    if (meta.limits === 'none') {
      if (!meta.reason) throw new Error(`${path} gives no reason for having no limits`)
      return { path, procedure, inputs, ruleSets: [], declared: [], reason: meta.reason, scope, cheaperAnswer }
    }
    if (meta.limits.length === 0) throw new Error(`${path} lists no limits: use 'none' with a reason`)
    const ruleSets = compiledFor(path, meta.limits)
    refuseBareDegrade(path, ruleSets, cheaperAnswer)
    if (usesInput(ruleSets)) checkInput(path, inputs, meta.input)
    return { path, procedure, inputs, ruleSets, declared: meta.limits, reason: null, scope, cheaperAnswer }
  })
  const all = [...declared.map(({ path, ruleSets }) => ({ label: path, sets: ruleSets })), ...routes]
  checkNames(all)
  checkShared(all)
  return declared
}

const isMutation = (procedure: AnyProcedure): boolean => procedure._def.type === 'mutation'

/** A new mutation must not be forgotten in the audit. */
function checkAudit(path: string, { audit }: Meta): void {
  if (audit === undefined)
    throw new Error(`${path} declares no audit: use .meta({ audit: '<action>' }), or { none: '<reason>' }`)
  if (typeof audit === 'object' && !audit.none) throw new Error(`${path} gives no reason for recording nothing`)
}

/** Limits may depend on arguments only if these are available before the work and validated by one of the procedure's schemas. */
function checkInput(path: string, inputs: readonly unknown[], schema: z.ZodType | undefined): void {
  if (inputs.includes(octetInputParser))
    throw new InvalidRuleSet(
      path,
      'has limits that depend on the input, but its input is a stream, which is not read before the decision',
    )
  if (!schema)
    throw new InvalidRuleSet(
      path,
      'has limits that depend on the input, but no schema: use .meta(limitsFor(schema, […]))',
    )
  if (!inputs.includes(schema))
    throw new InvalidRuleSet(path, 'has limits that depend on a schema that is none of its inputs: use .input(schema)')
}

function listInputs(procedure: AnyProcedure): readonly unknown[] {
  const def: unknown = procedure._def
  return z.object({ inputs: z.array(z.unknown()) }).parse(def).inputs
}

function isMeta(meta: unknown): meta is Meta {
  return typeof meta === 'object' && meta !== null && 'limits' in meta && meta.limits !== undefined
}
