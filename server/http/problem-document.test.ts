import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { accentProperties } from '#format/accent.ts'
import { problemDocument } from './problem-document.ts'
import type { SiteName } from './site-name.ts'

const plain: SiteName = { name: 'Canal & Co', logo: null, accent: null, gallery: false }
const document = (site: SiteName) =>
  problemDocument({ status: 403, sentence: (say) => say('http.malformed'), locale: 'en', site })

test('a site without a logo is named beside Sluice’s mark, and loads nothing', () => {
  const { html, policy } = document(plain)
  expect(html).toContain('</svg><span dir="auto">Canal &amp; Co</span></header>')
  expect(html).not.toContain('<img')
  expect(policy).not.toContain('img-src')
})

test('a site has its logo, with its name unless the logo has it', () => {
  const square = document({ ...plain, logo: { hash: 'a1', width: 64, height: 64 } })
  expect(square.html).toContain(
    '<header><img src="/brand/a1/logo.png" width="64" height="64" alt=""><span dir="auto">Canal &amp; Co</span></header>',
  )
  expect(square.policy).toContain("; img-src 'self'; ")
  const wide = document({ ...plain, logo: { hash: 'a1', width: 300, height: 64 } })
  expect(wide.html).toContain('height="64" alt="Canal &amp; Co"></header>')
})

test('a site has its accent colour, and the policy allows just its style', () => {
  const { html, policy } = document({ ...plain, accent: '#c2410c' })
  const style = /<style>([^<]*)<\/style>/.exec(html)?.[1] ?? ''
  expect(style.startsWith(`:root{--accent-light:${accentProperties('#c2410c')['--accent-light']};`)).toBe(true)
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';`)
})
