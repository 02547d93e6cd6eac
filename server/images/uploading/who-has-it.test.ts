import { afterAll, beforeAll, expect, test } from 'vitest'
import { sendUpload, uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

/* Whether somebody else has a file: an uploader cannot learn it from what an upload takes, or from how it is refused. */

const TRIALS = 10
let served: TestApp
let root: Person
let holder: Person
let known: readonly Buffer[]
let fresh: readonly Buffer[]
beforeAll(async () => {
  served = await startApp()
  root = await served.person({ role: 'superadmin' })
  holder = await served.person()
  const pictures = (first: number) =>
    Promise.all(
      Array.from({ length: TRIALS }, (_, at) => picture({ format: 'png', width: 16, height: 16, seed: first + at })),
    )
  known = await pictures(1_000)
  fresh = await pictures(2_000)
  for (const bytes of known) await uploadAccepted(served, holder, bytes)
})
afterAll(() => served[Symbol.asyncDispose]())

async function refusalsOf(person: Person, files: readonly Buffer[]): Promise<readonly string[]> {
  const answers: string[] = []
  for (const bytes of files) {
    const answer = await sendUpload(served, person, bytes)
    const { error }: { error?: { message: string } } = await answer.json()
    answers.push(`${answer.status} ${error?.message}`.replaceAll(/[\d.]+ (K?i?B)/g, '$1'))
  }
  return answers
}

test('a full budget of stored bytes refuses bytes that somebody else has, like new ones', async () => {
  const { bytes } = await served.app.db.siteStorage.findUniqueOrThrow({ where: { id: 1 } })
  const person = await served.person({ role: 'superadmin' })
  for (const room of [0, 10]) {
    await served.as(root).budget.set({ period: 'standing', unit: 'stored', limit: Number(bytes) + room })
    const [ofKnown, ofFresh] = [await refusalsOf(person, known), await refusalsOf(person, fresh)]
    expect(ofKnown).toEqual(ofFresh)
    expect(new Set(ofKnown).size).toBe(1)
    expect(ofKnown[0]).toMatch(/^503 /)
  }
  // Their owner has them already.
  expect((await sendUpload(served, holder, known[0] ?? Buffer.of())).status).toBe(200)
  await served.as(root).budget.set({ period: 'standing', unit: 'stored', limit: null })
})

test('a full quota refuses bytes that somebody else has, like new ones', async () => {
  const person = await served.person({ role: 'superadmin' })
  await served.as(root).user.update({ id: person.viewer.userId, quotaBytes: 10 })
  const [ofKnown, ofFresh] = [await refusalsOf(person, known), await refusalsOf(person, fresh)]
  expect(ofKnown).toEqual(ofFresh)
  expect(ofKnown[0]).toMatch(/^413 This image needs/)
})

test('the store is asked for the same, and the answer is the same but for the image', async () => {
  const person = await served.person({ role: 'superadmin' })
  const asked: string[] = []
  const { store } = served.app.images
  const { put, readSize } = store
  store.put = (key, ...given) => {
    asked.push(key.replace(/[0-9a-f]{64}/g, ''))
    return put(key, ...given)
  }
  store.readSize = (key) => {
    asked.push('size')
    return readSize(key)
  }
  const answers = []
  for (const bytes of [known[0], fresh[0]]) {
    const answer = await uploadAccepted(served, person, bytes ?? Buffer.of())
    answers.push({
      keys: Object.keys(answer),
      isNew: answer.isNew,
      visibility: answer.visibility,
      asked: asked.splice(0),
    })
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]?.asked).toEqual(['/w400..webp', ''])
})
