import { expect, test } from 'vitest'
import { openDatabase } from '#server/database/database.ts'
import { transact } from '#server/database/transact.ts'
import { insertImage } from '#testing/insert-image.ts'
import { createPostgresDatabase } from '#testing/postgres-database.ts'
import { makeOwner } from '#testing/storage-pieces.ts'
import { concludeForgotten, concludeUpload } from './conclude-upload.ts'
import type { StoringParts } from './store-image.ts'

const MINUTE = 60_000

test('of several processes one concludes what a crash has left, and none what may still be received', async () => {
  const databaseUrl = await createPostgresDatabase()
  await using ended = new AsyncDisposableStack()
  const opened = async () => {
    const { db, close } = await openDatabase({ dataDir: '', databaseUrl })
    ended.defer(close)
    return db
  }
  const db = await opened()
  const others = [await opened(), await opened()]
  const owner = await makeOwner(db)
  const open = async (minutes: number): Promise<string> => {
    const { id } = await insertImage(db, owner, { visibility: 'private' })
    const createdAt = new Date(Date.now() - minutes * MINUTE)
    await db.image.update({ where: { id }, data: { createdAt, formOpen: true } })
    return id
  }
  const old = await Promise.all(Array.from({ length: 12 }, () => open(61)))
  const young = await open(59)
  const told: string[] = []
  const onStored: StoringParts['onStored'] = async (_, { id, visibility }) => void told.push(`${id} ${visibility}`)
  await Promise.all([db, ...others].map((each) => concludeForgotten(each, onStored)))
  expect(told.toSorted()).toEqual(old.map((id) => `${id} private`).toSorted())

  const wish = { visibility: 'public', ofKnown: 'stays' } as const
  const late = [old[0] ?? '', young].map((id) =>
    transact(db, (tx) => concludeUpload(tx, { id, isNew: true }, { wish, filename: '' }, onStored)),
  )
  expect((await Promise.all(late)).map((each) => 'image' in each && each.image.visibility)).toEqual([
    'private',
    'public',
  ])
  expect(told.slice(old.length)).toEqual([`${young} public`])
  expect(await db.image.count({ where: { formOpen: true } })).toBe(0)
})
