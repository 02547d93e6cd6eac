import { expect, test } from 'vitest'
import { createDownloadLinks, LINK_MS } from '../links/download-link.ts'
import { createZipLinks } from './zip-link.ts'

const SECRET = 'a secret of the site, 32 or more of it'
const holder = { by: 'token', id: crypto.randomUUID() } as const
const ids = Array.from({ length: 100 }, () => crypto.randomUUID())

test('a link contains its holder and its images until it expires', () => {
  let now = 1_000_000_000_000
  const links = createZipLinks(SECRET, () => now)
  const { link, expiresAt } = links.seal({ holder, ids })
  expect(link).toMatch(/^[A-Za-z0-9_-]{2500,4000}$/)
  expect(expiresAt.getTime()).toBe(now + LINK_MS)
  now += LINK_MS - 1
  expect(links.open(link)).toEqual({ holder, ids })
  now += 1
  expect(links.open(link)).toBeNull()
})

test('rejects links of another site and of another kind', () => {
  const links = createZipLinks(SECRET)
  const { link } = links.seal({ holder, ids })
  const middle = Math.floor(link.length / 2)
  const changed = link.slice(0, middle) + (link[middle] === 'A' ? 'B' : 'A') + link.slice(middle + 1)
  const foreign = createZipLinks(`${SECRET}!`).seal({ holder, ids }).link
  const download = createDownloadLinks(SECRET).seal('', holder).token
  for (const each of [changed, foreign, download, `${link}=`, link.slice(1), '', 'x'])
    expect(links.open(each)).toBeNull()
})
