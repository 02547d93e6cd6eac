import sharp from 'sharp'
import { expect, test } from 'vitest'
import { siteSchema } from './access-rows.ts'
import { HotlinkGate, type HotlinkRule } from './hotlink.ts'
import { PLACEHOLDER_IMAGE } from './placeholder.ts'

const makeGate = (rule: Partial<HotlinkRule> = {}) =>
  new HotlinkGate(
    { isOn: true, sites: ['friend.example', '*.blog.example'], allowsEmpty: true, answer: 'refusal', ...rule },
    'https://images.example.org:8443',
  )

test.each([
  ['https://images.example.org:8443/i/x', true],
  ['http://images.example.org/', true],
  ['https://friend.example/page', true],
  ['https://FRIEND.example.:444/page?x=https://evil.example/', true],
  ['https://www.friend.example/', false],
  ['https://a.b.blog.example', true],
  ['https://blog.example/', false],
  ['https://evilblog.example/', false],
  ['https://friend.example.evil.example/', false],
  ['https://friend.example@evil.example/', false],
  ['https://user:friend.example@evil.example/', false],
  ['https://evil.example/friend.example', false],
  ['https://[2001:db8::1]/', false],
])('allows Referer %s: %s', (referer, passes) => {
  expect(makeGate().admits({ referer })).toBe(passes)
  expect(makeGate().admits({ referer, origin: 'https://friend.example' })).toBe(passes)
})

test.each(['http://127.0.0.1:3000/image/x', 'http://[::1]:3000/', 'http://localhost:3000/'])(
  'recognizes %s as a page of the site itself if the site is local',
  (referer) => {
    const rule = { isOn: true, sites: [], allowsEmpty: true, answer: 'refusal' } as const
    expect(new HotlinkGate(rule, 'http://localhost:3000').admits({ referer })).toBe(true)
    expect(makeGate().admits({ referer })).toBe(false)
  },
)

test('falls back to Origin without a Referer', () => {
  expect(makeGate().admits({ origin: 'https://friend.example' })).toBe(true)
  expect(makeGate().admits({ origin: 'https://evil.example' })).toBe(false)
})

test.each([{}, { origin: 'null' }, { referer: 'about:blank' }, { referer: '' }])(
  'treats a request without a page as the rule says: %j',
  (headers) => {
    expect(makeGate().admits(headers)).toBe(true)
    expect(makeGate({ allowsEmpty: false }).admits(headers)).toBe(false)
  },
)

test.each(['example.org', '*.example.org', 'localhost', ' EXAMPLE.org ', 'xn--bcher-kva.example', '192.0.2.1'])(
  'accepts %j as a site',
  (site) => expect(siteSchema.safeParse(site).success).toBe(true),
)

test.each([
  '',
  '*',
  '*.',
  'a..b',
  'https://example.org',
  'example.org/x',
  'example.org:80',
  '*.*.org',
  '-a.org',
  'bücher.org',
])('rejects %j as a site', (site) => expect(siteSchema.safeParse(site).success).toBe(false))

test('serves a small picture as the placeholder', async () => {
  const { format, width, height } = await sharp(PLACEHOLDER_IMAGE, { failOn: 'warning' }).metadata()
  expect([format, width, height]).toEqual(['png', 240, 160])
  expect(PLACEHOLDER_IMAGE.length).toBeLessThan(2_000)
  expect((await sharp(PLACEHOLDER_IMAGE).raw().toBuffer()).length).toBeGreaterThan(0)
})
