import { expect, it } from 'vitest'
import { createShareLinks, hashToken } from './share-links.ts'

it('a restored share opens under any secret, and shows its link under its own', () => {
  const origin = 'https://images.example.org'
  const links = createShareLinks({ origin, secret: 'a'.repeat(32) })
  const id = crypto.randomUUID()
  const { url, tokenHash, sealedToken } = links.make(id)
  const token = url.slice(`${origin}/s/`.length)
  expect([hashToken(token), sealedToken.includes(token)]).toEqual([tokenHash, false])
  expect(createShareLinks({ origin, secret: 'a'.repeat(32) }).url({ id, sealedToken })).toBe(url)
  expect(createShareLinks({ origin, secret: 'b'.repeat(32) }).url({ id, sealedToken })).toBeNull()
  expect(links.url({ id: crypto.randomUUID(), sealedToken })).toBeNull()
})
