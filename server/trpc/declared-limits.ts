import type { AnyProcedure, AnyRouter } from '@trpc/server'
import { compileRuleSets } from '#server/limits/rules/compile.ts'
import type { CompiledRuleSet } from '#server/limits/rules/compiled.ts'
import type { Meta } from './limit.ts'

/** What a procedure declares, checked: its rule sets, or the reason why it has none. */
export interface DeclaredLimits {
  readonly path: string
  readonly procedure: AnyProcedure
  readonly ruleSets: readonly CompiledRuleSet[]
  readonly reason: string | null
}

/** Walks a router. Throws for a procedure that declares nothing, and InvalidRuleSet for one whose rules cannot work. */
export function declaredLimits(router: AnyRouter): readonly DeclaredLimits[] {
  const procedures: Record<string, AnyProcedure> = router._def.procedures
  return Object.entries(procedures).map(([path, procedure]) => {
    const meta: unknown = procedure._def.meta
    if (!isMeta(meta))
      throw new Error(`${path} declares no limits: say .meta({ limits: […] }), or 'none' with a reason`)
    if (meta.limits === 'none') return { path, procedure, ruleSets: [], reason: meta.reason }
    return { path, procedure, ruleSets: compileRuleSets(path, meta.limits), reason: null }
  })
}

function isMeta(meta: unknown): meta is Meta {
  return typeof meta === 'object' && meta !== null && 'limits' in meta
}
