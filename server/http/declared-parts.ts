import type { DeclaringPart } from '#server/limit-admin/catalogue.ts'
import { declaredLimits } from '#server/trpc/declared-limits.ts'
import { appRouter } from '#server/trpc/router.ts'
import { declaredRoutes } from './declared-routes.ts'

/** Returns all procedures and routes with their limits. Throws like `declaredLimits`. */
export function declaredParts(): readonly DeclaringPart[] {
  const procedures = declaredLimits(appRouter, declaredRoutes).map(
    ({ path, procedure, inputs, declared, ruleSets, ...meta }): DeclaringPart => {
      const { scope, cheaperAnswer } = meta
      const sets = { declared, compiled: ruleSets, isAnonymous: false }
      return { path, kind: procedure._def.type, inputs, ...sets, scope, cheaperAnswer }
    },
  )
  const routes = declaredRoutes.map(({ label, sets, ...part }): DeclaringPart => {
    return { ...part, path: label, kind: 'route', compiled: sets }
  })
  return [...procedures, ...routes]
}
