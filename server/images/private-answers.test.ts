import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type StoredImage, storeImageFor } from '#testing/library/stored-image.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let owner: Person
const images: StoredImage[] = []
/** The texts of private images that other users must not see. */
const secrets: string[] = []

beforeAll(async () => {
  served = await startApp({ SLUICE_GALLERY: 'on' })
  owner = await served.person()
  for (const trashed of [false, true]) {
    const [title, filename] = [`title ${randomBytes(8).toString('hex')}`, `${randomBytes(8).toString('hex')}.png`]
    const placeholder = randomBytes(21).toString('base64')
    const variants = { 400: randomBytes(100) }
    const image = await storeImageFor(served, owner, {
      visibility: 'private',
      trashed,
      title,
      filename,
      placeholder,
      variants,
    })
    images.push(image)
    secrets.push(image.slug, image.sha256, title, filename, placeholder)
  }
  await storeImageFor(served, owner, { visibility: 'public', placeholder: 'everybody' })
})
afterAll(() => served[Symbol.asyncDispose]())

/** Returns the answers to all calls of pages about images, including refusals. */
async function everyAnswer(person: Person | null): Promise<string> {
  const caller = served.as(person)
  const lists = (['mine', 'all', 'gallery'] as const).flatMap((scope) =>
    [false, true].map((trash) => caller.image.list({ scope, trash, limit: 100 })),
  )
  const byId = images.flatMap(({ id }) => [
    caller.image.get({ id }),
    caller.image.download({ id }),
    caller.image.update({ id, title: 'taken' }),
  ])
  const answers = await Promise.allSettled([...lists, ...byId, ...images.map(({ slug }) => caller.image.get({ slug }))])
  return JSON.stringify(answers, (_key, value) =>
    value instanceof Error ? { ...value, message: value.message } : value,
  )
}

const learned = (answer: string): string[] => secrets.filter((secret) => answer.includes(secret))

test('no answer to a guest, a user or an admin reveals anything of a private image', async () => {
  for (const kind of [null, 'user', 'admin'] as const) {
    for (const shared of [false, true]) {
      const answer = await everyAnswer(kind && (await served.person({ role: kind, shared })))
      expect([kind, learned(answer)]).toEqual([kind, []])
    }
  }
})

test('an admin’s list shows only that private images exist', async () => {
  const caller = served.as(await served.person({ role: 'admin' }))
  for (const [at, trash] of [false, true].entries()) {
    const { items } = await caller.image.list({ scope: 'all', trash })
    const item = items.find(({ id }) => id === images[at]?.id)
    const hidden = ['slug', 'url', 'thumbnailUrl', 'variants', 'placeholder', 'sha256', 'title', 'filename'] as const
    expect(hidden.map((name) => item?.[name])).toEqual(hidden.map(() => null))
  }
})

test('the owner and a superadmin see everything', async () => {
  for (const person of [owner, await served.person({ role: 'superadmin' })]) {
    expect(learned(await everyAnswer(person)).length).toBeGreaterThan(0)
  }
})
