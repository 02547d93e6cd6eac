import { afterAll, beforeAll, expect, test } from 'vitest'
import { behindProxy, everythingKept, read, upload } from '#testing/image-client.ts'
import { picture } from '#testing/pictures.ts'
import { type PostgresServer, startPostgresServer } from '#testing/postgres-server.ts'
import { startApp } from '#testing/sluice-app.ts'

let postgres: PostgresServer

beforeAll(async () => {
  postgres = await startPostgresServer()
})
afterAll(() => postgres[Symbol.asyncDispose]())

test('an image lives on PostgreSQL as it does embedded, from the upload to the purge', async () => {
  await using served = await startApp({ ...behindProxy, DATABASE_URL: await postgres.createDatabase() })
  const owner = await served.person()
  const { image } = served.as(owner)
  const bytes = await picture()
  const answers = await Promise.all(Array.from({ length: 10 }, () => upload(served, owner, bytes)))
  const [first] = answers
  expect(new Set(answers.map(({ id }) => id)).size).toBe(1)
  const id = first?.id ?? ''
  const ids = [id]
  for (let seed = 2; seed < 6; seed += 1) {
    ids.unshift((await upload(served, owner, await picture({ width: 40, height: 30, seed }))).id)
  }
  const page = await image.list({ limit: 3 })
  const rest = await image.list({ limit: 3, ...(page.nextCursor && { cursor: page.nextCursor }) })
  expect([...page.items, ...rest.items].map((item) => item.id)).toEqual(ids)
  expect(rest.nextCursor).toBeNull()

  const hidden = await image.update({ id, title: 'Sea', visibility: 'private' })
  expect(hidden).toMatchObject({ title: 'Sea', visibility: 'private', mine: true })
  expect((await read(hidden.url ?? '')).status).toBe(404)
  const answer = await read(hidden.url ?? '', owner)
  expect(Buffer.from(await answer.arrayBuffer()).equals(bytes)).toBe(true)

  for (const each of ids) {
    await image.delete({ id: each })
    await image.purge({ id: each })
  }
  expect(await everythingKept(served)).toEqual({ images: 0, objectRows: 0, objects: [], unfinished: [] })
})
