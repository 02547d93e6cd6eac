import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSiteFiles } from '#server/http/pages/site-files.ts'
import { picture } from '#testing/images/pictures.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'

let served: TestApp
let root: Person
let admin: Person
beforeAll(async () => {
  served = await startApp({ SLUICE_MAX_UPLOAD: '20MB' })
  root = await served.person({ role: 'superadmin' })
  admin = await served.person({ role: 'admin' })
})
afterAll(() => served[Symbol.asyncDispose]())

/** Returns the answer's status and its text or reason. */
async function upload(body: Uint8Array<ArrayBuffer> | string, kind = 'icon', person = root) {
  const headers = { cookie: person.cookie, 'content-type': 'application/octet-stream', 'x-site-image': kind }
  const answer = await fetch(`${served.origin}/api/trpc/site.uploadImage`, { method: 'POST', headers, body })
  const said = await answer.json()
  return { status: answer.status, image: said.result?.data.image, reason: said.error?.data.reason }
}
const png = async (width: number, height: number) =>
  new Uint8Array(await picture({ format: 'png', width, height, seed: 3 }))
const readFile = (path: string) => createSiteFiles(served.app)(path)
const change = async (texts: Record<string, string | null>) => {
  const { site } = served.as(root)
  return site.update({ version: (await site.settings()).version, change: texts })
}

describe('an uploaded icon', () => {
  it('is rendered for browsers, home screens and masks, and served by its digest', async () => {
    const { status, image } = await upload(await png(900, 600))
    expect([status, image]).toEqual([200, expect.stringMatching(/^[0-9a-f]{32}-512x512$/)])
    const [hash] = image.split('-')
    for (const [name, size] of [
      ['icon-32', 32],
      ['icon-180', 180],
      ['icon-192', 192],
      ['icon-512', 512],
      ['icon-maskable', 512],
    ]) {
      const file = await readFile(`/brand/${hash}/${name}.png`)
      expect([file?.body.readUInt32BE(16), file?.body.readUInt32BE(20)]).toEqual([size, size])
      expect(file?.headers).toMatchObject({
        'Content-Type': 'image/png',
        'Cache-Control': 'public, max-age=31536000, immutable',
      })
    }
    await change({ icon: image })
    const manifest = JSON.parse(String((await readFile('/manifest.webmanifest'))?.body))
    expect(manifest.icons.map(({ src, purpose }: Record<string, string>) => [src, purpose])).toEqual([
      [`/brand/${hash}/icon-192.png`, 'any'],
      [`/brand/${hash}/icon-512.png`, 'any'],
      [`/brand/${hash}/icon-maskable.png`, 'maskable'],
    ])
    await change({ icon: null })
    expect(served.app.site.read().icon).toBeNull()
  })

  it('is found only by its own address', async () => {
    for (const path of [
      '/brand/',
      `/brand/${'0'.repeat(32)}/icon-32.png`,
      '/brand/../x/logo.png',
      '/constructor',
      '/toString',
    ])
      expect(await readFile(path)).toBeNull()
  })
})

describe('an uploaded logo', () => {
  it('is as high as headers need, whatever its form', async () => {
    expect((await upload(await png(1_000, 250), 'logo')).image).toMatch(/-336x84$/)
    expect((await upload(await png(40, 30), 'logo')).image).toMatch(/-40x30$/)
  })

  it('that is not there, or not a logo, cannot be the site’s', async () => {
    const { image } = await upload(await png(60, 60))
    for (const logo of [`${'0'.repeat(32)}-1x1`, image, image.replace('512x512', '9999x1')])
      await expect(change({ logo })).rejects.toMatchObject({ code: 'BAD_REQUEST' })
    expect(served.app.site.read().logo).toBeNull()
  })
})

describe('a hostile file', () => {
  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>', 415, 'not-an-image'],
    ['HTML', '<!doctype html><script>alert(1)</script>', 415, 'not-an-image'],
    ['nothing', '', 422, 'empty'],
    ['a cut PNG', '\x89PNG\r\n', 415, 'not-an-image'],
  ])('is refused as in uploads: %s', async (_, body, status, reason) => {
    const rows = await served.app.db.siteImage.count()
    expect(await upload(body)).toMatchObject({ status, reason })
    expect(await served.app.db.siteImage.count()).toBe(rows)
  })

  it('with too many pixels, or too large, is refused', async () => {
    const bomb = await png(16, 16)
    new DataView(bomb.buffer).setUint32(16, 30_000)
    new DataView(bomb.buffer).setUint32(20, 30_000)
    expect((await upload(bomb)).status).toBe(422)
    expect(await upload(new Uint8Array(6 * 1024 ** 2))).toMatchObject({ status: 413, reason: 'too-large' })
  })

  it('loses what identifies its author', async () => {
    const tainted = new Uint8Array(
      Buffer.concat([Buffer.from(await png(64, 64)), Buffer.from('<script>tail</script>')]),
    )
    const [hash] = (await upload(tainted, 'logo')).image.split('-')
    expect(String((await readFile(`/brand/${hash}/logo.png`))?.body)).not.toContain('tail')
  })
})

it('only superadmins upload, only a logo or an icon, and only from the site’s own pages', async () => {
  expect((await upload(await png(8, 8), 'icon', admin)).status).toBe(403)
  expect((await upload(await png(8, 8), 'banner')).status).toBe(400)
  const headers = { cookie: root.cookie, 'content-type': 'application/octet-stream', origin: 'https://evil.example' }
  const foreign = await fetch(`${served.origin}/api/trpc/site.uploadImage`, {
    method: 'POST',
    headers,
    body: await png(8, 8),
  })
  expect(foreign.status).toBe(403)
})

it('images that nobody uses are deleted after a day, those in use stay', async () => {
  const { db } = served.app
  const [used, unused] = [
    (await upload(await png(21, 20), 'logo')).image,
    (await upload(await png(22, 20), 'logo')).image,
  ]
  await change({ logo: used })
  await db.siteImage.updateMany({ data: { createdAt: new Date(Date.now() - 25 * 3_600_000) } })
  await upload(await png(23, 20), 'logo')
  const left = (await db.siteImage.findMany({ select: { hash: true } })).map(({ hash }) => hash)
  expect(left).toContain(used.split('-')[0])
  expect(left).not.toContain(unused.split('-')[0])
  await change({ logo: null })
})

describe('what programs read of the settings', () => {
  const read = async (path: string) => String((await readFile(path))?.body)

  it('robots.txt keeps search engines out until the site lets them in, and never programs that preview links', async () => {
    const [all, previewers] = String(await read('/robots.txt')).split('\n\n')
    expect(all).toBe('User-agent: *\nDisallow: /')
    expect(previewers).toMatch(/^(User-agent: [\w-]+\n){5}Allow: \/api\/oembed\nDisallow: \/api\/\n$/)
    await change({ SLUICE_INDEXING: 'on' })
    expect(await read('/robots.txt')).toBe('User-agent: *\nAllow: /api/oembed\nDisallow: /api/\n')
    await change({ SLUICE_INDEXING: null })
  })

  it('the manifest has the name as it is, and Sluice’s icons', async () => {
    const name = '"</script><b>图床'
    await change({ SLUICE_NAME: name, SLUICE_ACCENT: '#ffff00' })
    const file = await readFile('/manifest.webmanifest')
    expect(file?.headers).toMatchObject({ 'Content-Type': 'application/manifest+json', 'Cache-Control': 'no-cache' })
    expect(JSON.parse(String(file?.body))).toMatchObject({
      ...{ name, short_name: name, start_url: '/', display: 'standalone' },
      icons: [{ src: '/icon-192.png' }, { src: '/icon-512.png' }, { src: '/icon-maskable.png', purpose: 'maskable' }],
    })
    await change({ SLUICE_NAME: null, SLUICE_ACCENT: null })
  })
})
