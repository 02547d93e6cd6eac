import { expect, test } from 'vitest'
import { adminLimits } from '#messages/en/admin-limits.ts'
import { declaredRoutes } from './declared-routes.ts'

test('the limits page describes every route', () => {
  expect(declaredRoutes.map(({ label }) => label).toSorted()).toEqual(Object.keys(adminLimits.route).toSorted())
})
