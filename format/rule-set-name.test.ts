import { expect, test } from 'vitest'
import { countedProcedure, declaredName } from './rule-set-name.ts'

test.each([
  ['view', 'view', undefined],
  ['view-total', 'view', undefined],
  ['view-network', 'view', undefined],
  ['view@image.list', 'view', 'image.list'],
  ['view@image bytes (small)-total', 'view', 'image bytes (small)'],
  ['network-view@image.list-network', 'network-view', 'image.list'],
])('%s counts calls of %s in %s', (name, ruleSet, procedure) => {
  expect([declaredName(name), countedProcedure(name)]).toEqual([ruleSet, procedure])
})
