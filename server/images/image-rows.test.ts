import { randomUUID } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Conflict, transact } from '#server/database/transact.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { type ChangedImages, hearImageChanges, moveImages, updateImages } from './image-rows.ts'

/**
 * Returns the places where code writes image rows itself: through the client, through a destructured client, or in SQL.
 */
function writesIn(code: string): string[] {
  const writes = [
    /(?<!callerBy\(ctx\))\.image\s*\.\s*(?:create|update|upsert|delete)\w*/g,
    /\[\s*['"`]image['"`]\s*\]/g,
    /\{[^{}]*\bimage\b[^{}]*\}\s*=\s*(?:[\w.]+\.)?(?:db|tx)\b/g,
    /(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM|MERGE\s+INTO|TRUNCATE(?:\s+TABLE)?)\s+(?:ONLY\s+)?"Image"/gi,
  ]
  return writes.flatMap((write) => code.match(write) ?? [])
}

test('no other file of the server writes image rows', () => {
  const files = globSync('server/**/*.ts').filter((path) => !/\.test\.ts$|^server\/images\/image-rows\.ts$/.test(path))
  expect(files.length).toBeGreaterThan(300)
  const found = files.flatMap((path) => writesIn(readFileSync(path, 'utf8')).map((write) => `${path}: ${write}`))
  expect(found).toEqual([])
  expect(writesIn(readFileSync('server/images/image-rows.ts', 'utf8'))).toHaveLength(10)
})

test('transactions that write image rows are opened by transact(), which notifies when they end', () => {
  const files = globSync('server/{images,accounts/users}/**/*.ts').filter((path) => !path.endsWith('.test.ts'))
  expect(files.filter((path) => readFileSync(path, 'utf8').includes('$transaction('))).toEqual([])
})

test.each([
  'await tx.image.updateMany({})',
  'db.image\n  .delete({})',
  'const { image } = ctx.app.db',
  "db['image'].create({})",
  'tx.$queryRaw`\n DELETE FROM "Image" WHERE`',
  'UPDATE "Image" SET',
])('detects %j', (code) => expect(writesIn(code)).toHaveLength(1))

let served: TestApp
let ownerId: string
const heard: ChangedImages[] = []
beforeAll(async () => {
  served = await startApp()
  ownerId = (await served.person()).viewer.userId
  hearImageChanges(served.app.db, (changed) => heard.push(changed))
})
afterAll(() => served[Symbol.asyncDispose]())

test('notifies of a change after its transaction, in every attempt, and at once without a transaction', async () => {
  const { db } = served.app
  const { id } = await insertBareImage(db, ownerId)
  let attempts = 0
  await transact(db, async (tx) => {
    attempts += 1
    await moveImages(tx, [id], new Date())
    // The first attempt may have been committed if only its answer was lost.
    expect(heard).toHaveLength(attempts - 1)
    if (attempts === 1) throw new Conflict()
  })
  expect(heard).toEqual([[id], [id]])
  await updateImages(db, { id }, { trashedAt: null })
  await updateImages(db, { id: randomUUID() }, { trashedAt: null })
  expect(heard).toEqual([[id], [id], [id]])
})
