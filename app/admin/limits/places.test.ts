import { expect, test } from 'vitest'
import { findSet } from './places.ts'

const ruleSets = ['view', 'edit', 'edit-trial'].map((name) => ({ name }))

test.each([
  ['view', 'view'],
  ['view-network', 'view'],
  ['view@image.list', 'view'],
  ['view-trial', 'view'],
  ['view@image.list-total', 'view'],
  ['edit-trial', 'edit-trial'],
  ['upload', undefined],
])('calls under the name %s are of the rule set %s', (name, found) => {
  expect(findSet({ ruleSets }, name)?.name).toBe(found)
})
