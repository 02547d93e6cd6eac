import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { picture } from '#testing/images/pictures.ts'
import { startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { commandVisitor, type Visitor, writePictures } from '#testing/sluice/sluice-command.ts'

let test: TestApp
beforeAll(async () => {
  test = await startApp()
})
afterAll(() => test[Symbol.asyncDispose]())

const lines = (text: string) => text.split('\n').slice(0, -1)

/** Returns the file names in an album, in its order. */
async function namesIn(self: Visitor, title: string): Promise<readonly (string | null)[]> {
  const caller = test.as(self.person)
  const { items } = await caller.album.list({ scope: 'mine', text: title })
  const { items: images } = await caller.image.list({ query: { album: items[0]?.id ?? '' } })
  return images.map(({ filename }) => filename)
}

describe('sluice upload --album --tag', () => {
  it('creates the album once, and files images in the order of the arguments, also those already there', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 3, 61)
    const [one, two, three] = ['1.png', '2.png', '3.png'].map((name) => join(self.folder, name))
    await self.call(['upload', `${two}`])
    const args = ['upload', '--album', ' Zürich\u202e & co ', '--tag', 'lake', '--tag', 'Ausflug']
    const first = await self.call([...args, `${three}`, `${two}`])
    expect([first.code, lines(first.stderr)]).toEqual([
      0,
      [`uploaded ${three}`, `already there ${two}`, '2 files: 1 uploaded, 1 already there'],
    ])
    const again = await self.call([...args, `${three}`, `${one}`])
    expect(again.code).toBe(0)
    const albums = await test.app.db.album.findMany({ where: { ownerId: self.person.viewer.userId } })
    expect(albums.map(({ title, visibility }) => [title, visibility])).toEqual([['Zürich & co', 'private']])
    expect(await namesIn(self, 'Zürich & co')).toEqual(['3.png', '2.png', '1.png'])
    const { items } = await test.as(self.person).image.list({ query: { tag: 'LAKE' } })
    expect(items.map(({ tags }) => tags)).toEqual([
      ['Ausflug', 'lake'],
      ['Ausflug', 'lake'],
      ['Ausflug', 'lake'],
    ])
  })

  it('names an album by its ID or address too, and refuses a title that several have', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 1, 62)
    const caller = test.as(self.person)
    const [one, two] = [await caller.album.create({ title: 'Trip' }), await caller.album.create({ title: 'Trip' })]
    const path = join(self.folder, '1.png')
    const ids = [two.id, one.id].join(', ')
    expect(await self.call(['upload', path, '--album', 'Trip'])).toEqual({
      code: 1,
      stdout: '',
      stderr: `sluice: Several of your albums are named “Trip”. Use an ID: ${ids}\n`,
    })
    for (const name of [one.id, two.url]) expect((await self.call(['upload', path, '--album', name])).code).toBe(0)
    const counts = await test.app.db.albumImage.groupBy({ by: 'albumId', _count: true, orderBy: { albumId: 'asc' } })
    const own = counts.filter(({ albumId }) => [one.id, two.id].includes(albumId))
    expect(own.map(({ _count }) => _count)).toEqual([1, 1])
    const unknown = await self.call(['list', '--album', 'Trips'])
    expect([unknown.code, unknown.stderr]).toEqual([1, 'sluice: You have no album “Trips”.\n'])
  })

  it('uploads nothing with a token that may not file, and fails what cannot be tagged', async () => {
    await using self = await commandVisitor(test, ['upload'])
    await writePictures(self.folder, 1, 63)
    const path = join(self.folder, '1.png')
    const refused = await self.call(['upload', '--tag', 'x', path])
    expect([refused.code, refused.stderr]).toEqual([
      4,
      'sluice: Albums, tags and shares need a token with the scopes read and manage. Run sluice login.\n',
    ])
    expect(await test.app.db.image.count({ where: { ownerId: self.person.viewer.userId } })).toBe(0)
    await using other = await commandVisitor(test)
    const failed = await other.call(['upload', '--json', '--tag', 'y'.repeat(65), path])
    expect([failed.code, JSON.parse(failed.stdout)]).toMatchObject([1, { total: 1, failed: 1 }])
  })
})

describe('sluice list', () => {
  it('lists an album in its order, what has a tag, and what a text finds, in any order', async () => {
    await using self = await commandVisitor(test)
    for (const [seed, width] of [30, 90, 60].entries())
      await writeFile(
        join(self.folder, `${'cab'[seed]}.png`),
        await picture({ format: 'png', width, height: width, seed: seed + 640 }),
      )
    const paths = ['b.png', 'c.png', 'a.png'].map((name) => join(self.folder, name))
    await self.call(['upload', '-p', '1', '--album', 'Order', ...paths])
    await self.call(['upload', '--tag', 'one', paths[0] ?? ''])
    const names = async (...args: string[]) => {
      const { stdout } = await self.call(['list', '--json', ...args])
      return JSON.parse(stdout).items.map(({ filename }: { filename: string }) => filename)
    }
    expect(await names('--album', 'Order')).toEqual(['b.png', 'c.png', 'a.png'])
    expect(await names('--album', 'Order', '--sort', 'title')).toEqual(['a.png', 'b.png', 'c.png'])
    expect(await names('--sort', 'oldest')).toEqual(['b.png', 'c.png', 'a.png'])
    expect(await names('--sort', 'largest')).toEqual(['a.png', 'b.png', 'c.png'])
    expect(await names('--tag', 'ONE')).toEqual(['b.png'])
    expect(await names('--text', 'c.png')).toEqual(['c.png'])
    expect(await names('--text', 'nothing')).toEqual([])
    const wrong = await self.call(['list', '--sort', 'best'])
    expect([wrong.code, lines(wrong.stderr)[0]]).toEqual([
      2,
      'sluice: --sort must be newest, oldest, title or largest, not best.',
    ])
  })
})

describe('sluice share', () => {
  it('uploads what is not there, and prints one link to all in the order of the arguments', async () => {
    await using self = await commandVisitor(test)
    await mkdir(join(self.folder, 'more'))
    await writePictures(self.folder, 2, 65)
    await writePictures(join(self.folder, 'more'), 2, 66)
    const [one = '', two = ''] = ['1.png', '2.png'].map((name) => join(self.folder, name))
    const sent = await self.call(['upload', '--visibility', 'private', two])
    const settings = ['--title', 'For you', '--expires', '7d', '--bytes-per-day', '1GB', '--max-views', '3']
    const started = Date.now()
    const { code, stdout, stderr } = await self.call(
      ['share', ...settings, '--password-stdin', join(self.folder, 'more'), sent.stdout.trim(), one],
      { stdin: 'sesame\n' },
    )
    expect([code, lines(stdout).length, lines(stderr).length]).toEqual([0, 1, 3])
    const [made] = (await test.as(self.person).share.list({})).items
    expect(made).toMatchObject({
      url: stdout.trim(),
      ...{ title: 'For you', hasPassword: true, maxViews: 3, count: 4, originals: false, showsTitles: true },
      limits: { requestsPerHour: null, requestsPerDay: null, bytesPerDay: 1024 ** 3 },
    })
    const end = Date.parse(made?.expiresAt ?? '') - 7 * 86_400_000
    expect(end >= started && end <= Date.now()).toBe(true)
    const token = stdout.trim().split('/').at(-1) ?? ''
    await expect(test.as(null).share.open({ token, password: 'wrong' })).rejects.toThrow()
    const { images } = await test.as(null).share.open({ token, password: 'sesame' })
    expect(images.map(({ title }) => title)).toEqual(['1', '2', '2', '1'])
    const { visibility } = await test.app.db.image.findFirstOrThrow({
      where: { ownerId: self.person.viewer.userId, filename: '2.png', visibility: 'private' },
    })
    expect(visibility).toBe('private')
  })

  it('creates no link if a file fails, and tells what is wrong with its options before it sends anything', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 1, 67)
    await writeFile(join(self.folder, 'empty.png'), '')
    const [good, bad] = ['1.png', 'empty.png'].map((name) => join(self.folder, name))
    const failed = await self.call(['share', `${good}`, `${bad}`])
    expect([failed.code, failed.stdout, lines(failed.stderr).slice(1)]).toEqual([
      1,
      '',
      [`failed ${bad}: The file is empty.`, '2 files: 1 uploaded, 1 failed', 'No link was created.'],
    ])
    for (const [args, why] of [
      [['--expires', '2020-01-01', good], '--expires is in the past: 2020-01-01.'],
      [['--expires', '2030-02-30', good], /^--expires must be a duration/],
      [['--expires', '7', good], /^--expires must be a duration/],
      [['--bytes-per-day', '1', good], '--bytes-per-day must be a size such as 500MB or 1GB, not 1.'],
      [['--password-stdin', good], 'The password is empty.'],
      [[], 'Missing argument: files, folders or images to share, or --album.'],
      [['--album', 'x', good], 'Use either --album or images, not both.'],
      [['nonsense'], 'nonsense is not the ID, slug or address of an image.'],
    ] as const) {
      const { code, stderr } = await self.call(['share', ...args.map(String)])
      const said = (lines(stderr)[0] ?? '').replace('sluice: ', '')
      expect([code, typeof why === 'string' ? said === why || said : why.test(said)]).toEqual([2, true])
    }
    expect(await test.app.db.share.count({ where: { ownerId: self.person.viewer.userId } })).toBe(0)
  })

  it('shares an album, lists links, and revokes them by ID or link', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 1, 68)
    await self.call(['upload', '--album', 'Party', join(self.folder, '1.png')])
    const first = (await self.call(['share', '--album', 'Party'])).stdout.trim()
    const second = JSON.parse((await self.call(['share', '--json', '--album', 'Party', '--originals'])).stdout)
    const { stdout } = await self.call(['shares'])
    expect(lines(stdout).map((line) => line.split(/ {2,}/).slice(2))).toEqual([
      ['-', '1', '0', second.url, 'Party'],
      ['-', '1', '0', first, 'Party'],
    ])
    const unknown = `${test.origin}/s/unknown`
    const revoked = await self.call(['shares', 'revoke', first, unknown, second.id])
    expect([revoked.code, lines(revoked.stderr)]).toEqual([
      1,
      [`revoked ${first}`, `failed ${unknown}: You have no share with this link.`, `revoked ${second.id}`],
    ])
    expect((await self.call(['shares'])).stdout).toBe('')
  })
})
