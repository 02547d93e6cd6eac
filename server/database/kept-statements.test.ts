import type { PGlite } from '@electric-sql/pglite'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { keepStatements } from './kept-statements.ts'
import { openPglite } from './open-pglite.ts'

/** Queries like Prisma's adapter. */
const options = { rowMode: 'array', parsers: { 20: (text: string) => `${text}n` } } as const

const statements = 'SELECT statement FROM pg_prepared_statements ORDER BY prepare_time'

let plain: PGlite
let kept: PGlite
beforeAll(async () => {
  plain = await openPglite('memory://')
  kept = keepStatements(plain)
})
afterAll(() => plain.close())
beforeEach(async () => {
  await plain.exec('DEALLOCATE ALL; DROP TABLE IF EXISTS things; CREATE TABLE things (id int PRIMARY KEY, word text)')
  kept = keepStatements(plain)
})

/** Returns the kept statements whose text begins with `text`. */
async function listKept(text: string): Promise<unknown[]> {
  const { rows } = await plain.query<{ statement: string }>(statements)
  return rows.map(({ statement }) => statement).filter((statement) => statement.startsWith(text))
}

test.each([
  ['SELECT $1::int AS a, $2::text AS b, $3::bigint AS c, $4::timestamptz AS d', [1, 'x', '7', '2026-01-02 03:04:05']],
  [
    'SELECT $1::jsonb AS a, $2::text[] AS b, $3::bytea AS c, $4::boolean AS d',
    [{ a: 1 }, ['p', 'q'], Buffer.from('z'), true],
  ],
  ['SELECT $1::uuid AS a, $2::text AS b', [null, undefined]],
  ['SELECT 1 AS a WHERE false', []],
  ['INSERT INTO things VALUES ($1, $2), ($3, $4)', [1, 'a', 2, 'b']],
  ['INSERT INTO things VALUES ($1, $2) RETURNING word, id', [1, 'a']],
  ['UPDATE things SET word = $1', ['c']],
  ['CREATE TEMP TABLE others () ON COMMIT DROP', []],
])('returns what PGlite returns, each time: %s', async (sql, values) => {
  const { rows, fields, affectedRows } = await plain.query(sql, values, options)
  await plain.exec('TRUNCATE things')
  for (let time = 0; time < 7; time += 1) {
    expect(await kept.query(sql, values, options)).toEqual({ rows, fields, affectedRows: affectedRows ?? 0 })
    await plain.exec('TRUNCATE things')
  }
})

test('parses a statement once, in a transaction or not', async () => {
  const sql = 'SELECT $1::int + 1'
  for (const value of [1, 2]) expect((await kept.query(sql, [value], options)).rows).toEqual([[value + 1]])
  await kept.transaction(async (tx) => {
    for (const value of [3, 4]) expect((await tx.query(sql, [value], options)).rows).toEqual([[value + 1]])
  })
  expect(await listKept(sql)).toEqual([sql])
})

test('keeps the 250 most recently used statements', async () => {
  const sqlOf = (index: number) => `SELECT ${index} AS n`
  for (let index = 0; index < 250; index += 1) await kept.query(sqlOf(index), [], options)
  await kept.query(sqlOf(0), [], options)
  await kept.query(sqlOf(250), [], options)
  const names = await listKept('SELECT')
  expect(names).toHaveLength(250)
  expect(names).toContain(sqlOf(0))
  expect(names).not.toContain(sqlOf(1))
  expect((await kept.query(sqlOf(1), [], options)).rows).toEqual([[1]])
})

test('keeps no long statements, and none made in another way', async () => {
  await kept.query(`SELECT 'long' AS "${'n'.repeat(10_000)}"`, [], options)
  expect((await kept.query<{ n: number }>('SELECT 1 AS n')).rows).toEqual([{ n: 1 }])
  await kept.transaction(async (tx) => {
    expect((await tx.query<{ n: number }>('SELECT 1 AS n')).rows).toEqual([{ n: 1 }])
  })
  expect(await listKept('SELECT')).toEqual([])
})

test('throws the same errors as PGlite, and leaves nothing of a failed statement to the next', async () => {
  const sql = 'INSERT INTO things VALUES ($1, $2)'
  await kept.query(sql, [1, 'a'], options)
  const duplicate = { code: '23505', detail: 'Key (id)=(1) already exists.', severity: 'ERROR' }
  await expect(kept.query(sql, [1, 'b'], options)).rejects.toMatchObject(duplicate)
  await expect(kept.query('SELECT $1::uuid', ['no'], options)).rejects.toMatchObject({ code: '22P02' })
  await expect(kept.query('SELEC 1', [], options)).rejects.toMatchObject({ code: '42601' })
  await expect(kept.query('SELECT * FROM nothing', [], options)).rejects.toMatchObject({ code: '42P01' })
  expect((await kept.query('SELECT word FROM things', [], options)).rows).toEqual([['a']])
  expect((await kept.query(sql, [2, 'c'], options)).affectedRows).toBe(1)
})

test('rolls back a failed transaction and keeps its connection usable', async () => {
  const sql = 'INSERT INTO things VALUES ($1, $2)'
  const failed = kept.transaction(async (tx) => {
    await tx.query(sql, [1, 'a'], options)
    await expect(tx.query(sql, [1, 'b'], options)).rejects.toMatchObject({ code: '23505' })
    await expect(tx.query('SELECT 5 AS five', [], options)).rejects.toMatchObject({ code: '25P02' })
    throw new Error('undone')
  })
  await expect(failed).rejects.toThrow('undone')
  expect((await kept.query('SELECT 5 AS five', [], options)).rows).toEqual([[5]])
  expect((await kept.query('SELECT * FROM things', [], options)).rows).toEqual([])
})

test('runs nothing between the statements of a transaction, nor in a closed one', async () => {
  const order: string[] = []
  const open = await new Promise<(value: unknown) => void>((ready) => {
    void kept.transaction(async (tx) => {
      await new Promise((resolve) => ready(resolve))
      await tx.query('SELECT 1', [], options)
      order.push('within')
      setImmediate(async () => {
        await expect(tx.query('SELECT 1', [], options)).rejects.toThrow('Transaction is closed')
        order.push('over')
      })
    })
  })
  const outside = kept.query('SELECT 1', [], options).then(() => order.push('outside'))
  open(null)
  await outside
  await expect.poll(() => order).toEqual(['within', 'outside', 'over'])
})
