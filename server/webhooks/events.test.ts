import { once } from 'node:events'
import { createServer } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { uploadAccepted } from '#testing/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { startApp } from '#testing/sluice-app.ts'

test('reports each invited user and stored image once, without secrets or private details', async () => {
  const bodies: string[] = []
  const receiver = createServer(async (req, res) => {
    bodies.push((await buffer(req)).toString())
    res.writeHead(204).end()
  }).listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  const address = receiver.address()
  const port = typeof address === 'object' ? address?.port : 0
  await using served = await startApp({
    SLUICE_WEBHOOK: `http://127.0.0.1:${port}/hook`,
    SLUICE_WEBHOOK_PRIVATE: 'on',
  })
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
  await expect.poll(() => bodies, { timeout: 20_000, interval: 20 }).toHaveLength(3)
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
  receiver.closeAllConnections()
  receiver.close()
}, 60_000)
