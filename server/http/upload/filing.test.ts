import { afterAll, expect, it } from 'vitest'
import { formBody } from '#testing/http/form-body.ts'
import { openUploadScene } from '#testing/http/upload-client.ts'

const scene = await openUploadScene()
afterAll(() => scene[Symbol.asyncDispose]())
const { test, png, jpeg, host } = scene

const BOUNDARY = 'x-x-x'
const field = (name: string, value: string) => ({ name, value: Buffer.from(value) })
const file = (value: Buffer) => ({ name: 'file', filename: 'a.png', type: 'image/png', value })

async function open() {
  const { person, token } = await scene.client()
  const head = [`POST /api/upload HTTP/1.1`, `Host: ${host}`, `Authorization: Bearer ${token}`]
  const where = { ownerId: person.viewer.userId }
  return {
    album: (title: string) => test.as(person).album.create({ title }),
    sendForm: (parts: Parameters<typeof formBody>[1]) =>
      scene.send([...head, `Content-Type: multipart/form-data; boundary=${BOUNDARY}`], formBody(BOUNDARY, parts)),
    sendFile: (value: Buffer, ...headers: string[]) =>
      scene.send([...head, 'Content-Type: image/png', ...headers], value),
    /** What each image is filed under, the oldest first. */
    filed: async () => {
      const select = {
        inAlbums: { select: { album: { select: { title: true } } } },
        tags: { select: { tag: { select: { name: true } } } },
      } as const
      const images = await test.app.db.image.findMany({ where, select, orderBy: { createdAt: 'asc' } })
      return images.map(({ inAlbums, tags }) => [
        inAlbums.map(({ album }) => album.title).toSorted(),
        tags.map(({ tag }) => tag.name).toSorted(),
      ])
    },
  }
}

it('a form names an album and tags, before its files or after them', async () => {
  const { album, sendForm, filed } = await open()
  const { id } = await album('Trip')
  await album('Home')
  const home = [field('album', 'Home'), field('tags', 'sea, Käse')]
  const answer = await sendForm([file(png), ...home, field('album', id), file(jpeg)])
  expect(answer.status).toBe(200)
  expect(await filed()).toEqual([
    [['Home'], ['Käse', 'sea']],
    [['Trip'], ['Käse', 'sea']],
  ])
})

it('headers name them, URI-encoded', async () => {
  const { album, sendFile, filed } = await open()
  await album('海边')
  const named = [`X-Album: ${encodeURIComponent('海边')}`, `X-Tags: ${encodeURIComponent('夏天')},sea`]
  expect((await sendFile(png, ...named)).status).toBe(200)
  expect(await filed()).toEqual([[['海边'], ['sea', '夏天']]])
})

it('an album that the sender does not have, or malformed tags, refuse the file', async () => {
  const { sendFile, sendForm, filed } = await open()
  const { id } = await (await open()).album('Theirs')
  const statuses = []
  for (const album of ['Theirs', id]) {
    statuses.push((await sendFile(png, `X-Album: ${album}`)).status)
    statuses.push((await sendForm([file(png), field('album', album)])).status)
  }
  statuses.push((await sendFile(png, `X-Tags: ${'x'.repeat(65)}`)).status)
  statuses.push((await sendForm([file(png), field('tags', Array(21).fill('x').join(','))])).status)
  expect(statuses).toEqual([404, 404, 404, 404, 400, 400])
  expect(await filed()).toEqual([])
})
