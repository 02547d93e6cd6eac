import { expect, test } from 'vitest'
import { newSlug } from '#server/images/slug.ts'
import { behindProxy, read } from '#testing/http/image-client.ts'
import { storeImageFor } from '#testing/library/stored-image.ts'
import { startApp } from '#testing/sluice/sluice-app.ts'

test('a hidden image is not found by a thousand guesses', async () => {
  await using served = await startApp(behindProxy)
  await storeImageFor(served, await served.person(), { visibility: 'private' })
  const statuses = new Set<number>()
  for (let round = 0; round < 20; round += 1) {
    const guess = () => read(`${served.origin}/i/${newSlug()}.png`, null, { method: 'HEAD' })
    for (const { status } of await Promise.all(Array.from({ length: 50 }, guess))) statuses.add(status)
  }
  expect([...statuses]).toEqual([404])
})
