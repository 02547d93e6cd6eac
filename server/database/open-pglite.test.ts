import { types } from '@electric-sql/pglite'
import { expect, test } from 'vitest'
import { openPglite } from './open-pglite.ts'

test('keeps only parsers for types that are not read as text, and for arrays of these, so that queries do not copy hundreds', async () => {
  const pglite = await openPglite('memory://')
  await pglite.exec('CREATE TABLE things (id int)')
  const { rows } = await pglite.query(
    `SELECT '{a,"b c"}'::text[] AS texts, '{1,2}'::int[] AS numbers, '{"a":[1]}'::jsonb AS json, 7::bigint AS big,
       true AS yes, '{date}'::regtype[] AS others`,
  )
  const kept = Object.keys(pglite.parsers)
  await pglite.close()
  expect(rows).toEqual([
    { texts: ['a', 'b c'], numbers: [1, 2], json: { a: [1] }, big: 7, yes: true, others: '{date}' },
  ])
  expect(kept).toHaveLength(Object.keys(types.parsers).length + 16)
})
