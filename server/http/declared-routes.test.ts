import { expect, test } from 'vitest'
import { parseRuleSetName } from '#format/rule-set-name.ts'
import { adminLimits } from '#messages/en/admin-limits.ts'
import { ruleSets } from '#messages/en/rule-sets.ts'
import { declaredLimits } from '#server/trpc/declared-limits.ts'
import { appRouter } from '#server/trpc/router.ts'
import { declaredRoutes } from './declared-routes.ts'

test('the limits page describes every route', () => {
  expect(declaredRoutes.map(({ label }) => label).toSorted()).toEqual(Object.keys(adminLimits.route).toSorted())
})

test('every rule set has a title, and no title is of none', () => {
  const compiled = [
    ...declaredLimits(appRouter, declaredRoutes).flatMap((procedure) => procedure.ruleSets),
    ...declaredRoutes.flatMap((route) => route.sets),
  ]
  const keys = new Set(compiled.map(({ facts }) => parseRuleSetName(facts.name).key))
  expect([...keys].toSorted()).toEqual(Object.keys(ruleSets.title).toSorted())
})
