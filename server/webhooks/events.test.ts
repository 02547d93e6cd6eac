import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { insertBareImage } from '#testing/library/insert-image.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

/** A receiver of events, and a site that sends it all of them. */
async function startReceived() {
  await using opened = new AsyncDisposableStack()
  const bodies: string[] = []
  const receiver = createServer(async (req, res) => {
    bodies.push((await buffer(req)).toString())
    res.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  opened.defer(() => {
    receiver.closeAllConnections()
    receiver.close()
  })
  const address = receiver.address()
  const port = typeof address === 'object' ? address?.port : 0
  const served = opened.use(
    await startApp({ SLUICE_WEBHOOK: `http://127.0.0.1:${port}/hook`, SLUICE_WEBHOOK_PRIVATE: 'on' }),
  )
  const toClose = opened.move()
  return { served, bodies, [Symbol.asyncDispose]: () => toClose.disposeAsync() }
}

test('reports each invited user and stored image once, without secrets or private details', async () => {
  await using scene = await startReceived()
  const { served, bodies } = scene
  const admin = await served.person({ role: 'admin' })
  const invite = await served.as(admin).invite.create({ uses: 3 })
  const bytes = await picture({ format: 'png', width: 64, height: 48, seed: 1 })
  const open = await uploadAccepted(served, admin, bytes, { name: 'ridge.png', headers: { 'x-visibility': 'public' } })
  // An image that its owner already has is not stored again.
  await uploadAccepted(served, admin, bytes, { name: 'ridge.png' })
  const other = await picture({ format: 'png', width: 64, height: 48, seed: 2 })
  const hidden = await uploadAccepted(served, admin, other, {
    name: 'diary.png',
    headers: { 'x-visibility': 'private' },
  })
  await expect.poll(() => bodies, { interval: 20 }).toHaveLength(3)
  const events = bodies.map((body) => JSON.parse(body))
  const owner = { id: admin.viewer.userId, username: admin.viewer.username }
  const facts = { owner, mime: 'image/png', width: 64, height: 48 }
  expect(events.find(({ type }) => type === 'user.invited')?.data).toEqual({
    id: invite.id,
    by: owner,
    uses: 3,
    expiresAt: invite.expiresAt,
  })
  expect(events.flatMap(({ type, data }) => (type === 'image.stored' ? [data] : []))).toEqual(
    expect.arrayContaining([
      {
        ...facts,
        id: open.id,
        size: open.size,
        visibility: 'public',
        title: 'ridge',
        filename: 'ridge.png',
        url: open.url,
      },
      { ...facts, id: hidden.id, size: hidden.size, visibility: 'private', title: null, filename: null, url: null },
    ]),
  )
  for (const secret of [invite.code, 'diary', hidden.slug, admin.sessionId]) expect(bodies.join()).not.toContain(secret)
})

test('reports each change of an album once, without the title and the address of a private one', async () => {
  await using scene = await startReceived()
  const { served, bodies } = scene
  const person = await served.person()
  const { album } = served.as(person)
  const { id: image } = await insertBareImage(served.app.db, person.viewer.userId)
  const { id, url } = await album.create({ title: 'Diary', visibility: 'link' })
  await album.add({ id, images: [image] })
  // It is in the album already.
  await album.add({ id, images: [image] })
  await album.move({ id, images: [image], after: null })
  await album.remove({ id, images: [image] })
  await album.update({ id, visibility: 'private' })
  await album.delete({ id })
  await album.restore({ id })
  await expect.poll(() => bodies, { interval: 20 }).toHaveLength(7)
  const owner = { id: person.viewer.userId, username: person.viewer.username }
  const about = { id, owner, visibility: 'link', title: 'Diary', url }
  const hidden = { id, owner, visibility: 'private', title: null, url: null }
  const events = bodies.map((body) => JSON.parse(body))
  expect(new Set(events.map(({ type }) => type))).toEqual(new Set(['album.changed']))
  expect(events.map(({ data }) => data)).toEqual(
    expect.arrayContaining([
      { ...about, act: 'create', images: [] },
      ...['add', 'move', 'remove'].map((act) => ({ ...about, act, images: [image] })),
      ...['update', 'delete', 'restore'].map((act) => ({ ...hidden, act, images: [] })),
    ]),
  )
})
