import { expect, test } from 'vitest'
import { newSlug } from '../slug.ts'
import { createDownloadLinks, LINK_MS } from './download-link.ts'

const secret = 'a secret of at least thirty-two characters'
const id = '01234567-89ab-4def-8123-456789abcdef'
const holder = { by: 'session', id } as const
const slug = newSlug()

test('a link opens with its holder until it expires', () => {
  let now = Date.parse('2026-01-01T00:00:00Z')
  const links = createDownloadLinks(secret, () => now)
  const { token, expiresAt } = links.seal(slug, holder)
  expect(expiresAt.getTime()).toBe(now + LINK_MS)
  expect(links.open(slug, token)).toEqual({ holder })
  now += LINK_MS - 1
  expect(links.open(slug, token)).toEqual({ holder })
  now += 1
  expect(links.open(slug, token)).toBeNull()
})

test('a link of a token is not a session’s', () => {
  const links = createDownloadLinks(secret)
  const token = { by: 'token', id } as const
  expect(links.open(slug, links.seal(slug, token).token)).toEqual({ holder: token })
})

test('a guest’s link has no holder', () => {
  const links = createDownloadLinks(secret)
  expect(links.open(slug, links.seal(slug, null).token)).toEqual({ holder: null })
})

test('a link is void for another image or site', () => {
  const links = createDownloadLinks(secret)
  const { token } = links.seal(slug, holder)
  expect(links.open(newSlug(), token)).toBeNull()
  expect(createDownloadLinks(`${secret}!`).open(slug, token)).toBeNull()
})

test('a link does not reveal its holder, and no two are equal', () => {
  const links = createDownloadLinks(secret)
  const tokens = [links.seal(slug, holder).token, links.seal(slug, holder).token]
  for (const token of tokens) {
    const bytes = Buffer.from(token, 'base64url')
    for (const spelled of [id, id.replaceAll('-', '')]) {
      expect(token).not.toContain(spelled)
      expect(bytes.includes(spelled)).toBe(false)
      expect(bytes.includes(Buffer.from(spelled.replaceAll('-', ''), 'hex'))).toBe(false)
    }
  }
  expect(tokens[0]).not.toBe(tokens[1])
})

test('a link is void if any character is changed', () => {
  const links = createDownloadLinks(secret)
  const { token } = links.seal(slug, holder)
  for (let at = 0; at < token.length; at += 1) {
    for (const character of 'AaBbQqZz0189-_') {
      const changed = `${token.slice(0, at)}${character}${token.slice(at + 1)}`
      if (changed !== token) expect(links.open(slug, changed)).toBeNull()
    }
  }
})

test.each(['', '.', '..', 'x.guest.', '__proto__', 'a'.repeat(36), 'a'.repeat(38), 'a'.repeat(200)])(
  '%j is not a link',
  (token) => {
    expect(createDownloadLinks(secret).open(slug, token)).toBeNull()
  },
)
