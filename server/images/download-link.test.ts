import { expect, test } from 'vitest'
import { createDownloadLinks, LINK_MS } from './download-link.ts'
import { newSlug } from './slug.ts'

const secret = 'a secret of at least thirty-two characters'
const sessionId = '01234567-89ab-4def-8123-456789abcdef'
const slug = newSlug()

test('a link serves its holder until it expires', () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const links = createDownloadLinks(secret, () => now)
  const { token, expiresAt } = links.sign(slug, sessionId)
  expect(expiresAt.getTime()).toBe(now + LINK_MS)
  expect(links.verify(slug, token)).toEqual({ sessionId })
  now += LINK_MS - 1
  expect(links.verify(slug, token)).toEqual({ sessionId })
  now += 1
  expect(links.verify(slug, token)).toBeNull()
})

test('a guest holds a link without a session', () => {
  const links = createDownloadLinks(secret)
  expect(links.verify(slug, links.sign(slug, null).token)).toEqual({ sessionId: null })
})

test('no link serves another image, another site, or another holder', () => {
  const links = createDownloadLinks(secret)
  const { token } = links.sign(slug, sessionId)
  expect(links.verify(newSlug(), token)).toBeNull()
  expect(createDownloadLinks(`${secret}!`).verify(slug, token)).toBeNull()
  expect(links.verify(slug, token.replace(sessionId, 'guest'))).toBeNull()
  expect(links.verify(slug, token.replace(/^[^.]+/, (Date.now() * 2).toString(36)))).toBeNull()
})

test('any changed character makes a link void', () => {
  const links = createDownloadLinks(secret)
  const { token } = links.sign(slug, sessionId)
  for (let at = 0; at < token.length - 1; at += 1) {
    const changed = `${token.slice(0, at)}${token[at] === '0' ? '1' : '0'}${token.slice(at + 1)}`
    expect(links.verify(slug, changed)).toBeNull()
  }
})

test.each(['', '.', '..', 'x.guest.', '__proto__', 'a'.repeat(200)])('%j is no link', (token) => {
  expect(createDownloadLinks(secret).verify(slug, token)).toBeNull()
})
