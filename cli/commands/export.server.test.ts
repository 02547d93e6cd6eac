import { mkdir, readdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openPromise } from 'yauzl'
import { originalKey } from '#server/storage/object-store.ts'
import { uploadAccepted } from '#testing/http/image-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { mountSmallDisk } from '#testing/servers/small-disk.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { commandVisitor, type Visitor, writePictures } from '#testing/sluice/sluice-command.ts'
import { Archive, writeArchive } from '../files/archive.ts'

let test: TestApp
let second: TestApp
beforeAll(async () => {
  ;[test, second] = await Promise.all([startApp(), startApp()])
})
afterAll(async () => {
  await Promise.all([test[Symbol.asyncDispose](), second[Symbol.asyncDispose]()])
})

const lines = (text: string) => text.split('\n').slice(0, -1)
const listImages = ({ app }: TestApp, { viewer }: Person) =>
  app.db.image.findMany({ where: { ownerId: viewer.userId }, orderBy: { filename: 'asc' }, omit: { ownerId: true } })

/** Uploads three images: one with its own title, one private, one in the trash. */
async function withImages(self: Visitor): Promise<void> {
  const [first, , third] = [
    await uploadAccepted(test, self.person, await picture({ seed: 1 }), { name: 'a: b?.jpg' }),
    await uploadAccepted(test, self.person, await picture({ seed: 2 }), {
      name: 'beach.jpg',
      headers: { 'x-visibility': 'private' },
    }),
    await uploadAccepted(test, self.person, await picture({ seed: 3 }), { name: 'gone.jpg' }),
  ]
  const caller = test.as(self.person)
  await caller.image.update({ id: first.id, title: 'A title of its own' })
  await caller.image.delete({ id: third.id })
}

/** Returns what an export preserves of an image. */
const kept = (images: Awaited<ReturnType<typeof listImages>>) =>
  images.map(({ filename, title, visibility, sha256, size, mime }) => ({
    filename,
    title,
    visibility,
    sha256,
    size,
    mime,
  }))

describe('sluice export', () => {
  it.each(['all', 'all.zip'])('exports everything to %s, and imports it into another server', async (target) => {
    await using self = await commandVisitor(test)
    await withImages(self)
    const before = (await listImages(test, self.person)).filter(({ trashedAt }) => trashedAt === null)
    const out = await self.call(['export', join(self.folder, target)])
    expect([out.code, out.stdout, lines(out.stderr).at(-1)]).toEqual([
      0,
      `${join(self.folder, target)}\n`,
      '2 images: 2 downloaded',
    ])

    await using other = await commandVisitor(second)
    const back = await other.call(['import', join(self.folder, target)])
    expect([back.code, lines(back.stdout).length]).toEqual([0, 2])
    expect(lines(back.stderr).slice(-2)).toEqual(['2 images: 2 uploaded', '2 of 2 match the hash in the export.'])
    expect(kept(await listImages(second, other.person))).toEqual(kept(before))
    const again = await other.call(['import', join(self.folder, target)])
    expect(lines(again.stderr).slice(-2)).toEqual(['2 images: 2 already there', '2 of 2 match the hash in the export.'])
  })

  it('skips an image that the server has lost or damaged, and exports the others', async () => {
    await using self = await commandVisitor(test)
    const [lost, damaged, whole] = [
      await uploadAccepted(test, self.person, await picture({ seed: 980 }), { name: 'lost.jpg' }),
      await uploadAccepted(test, self.person, await picture({ seed: 981, width: 1_200, height: 900, format: 'png' }), {
        name: 'damaged.png',
      }),
      await uploadAccepted(test, self.person, await picture({ seed: 982 }), { name: 'whole.jpg' }),
    ]
    await test.app.images.store.delete(originalKey(lost.sha256))
    const [first, second] = [damaged.sha256.slice(0, 2), damaged.sha256.slice(2, 4)]
    const file = join(test.dataDir, 'objects', first, second, damaged.sha256)
    const bytes = await readFile(file)
    expect(bytes.length).toBeGreaterThan(256 * 1024)
    await rm(file)
    await writeFile(file, bytes.fill(0, 100_000, 100_004))
    const asked = vi.spyOn(test.app.images.store, 'open')
    const { code, stderr } = await self.call(['export', join(self.folder, 'all')])
    const times = ({ sha256 }: typeof lost) => asked.mock.calls.filter(([key]) => key === sha256).length
    expect([times(lost), times(damaged), times(whole)]).toEqual([3, 3, 1])
    asked.mockRestore()
    const told = lines(stderr).filter((line) => !line.startsWith('waiting '))
    expect([code, told.toSorted()]).toEqual([
      1,
      [
        '3 images: 1 downloaded, 2 failed',
        'downloaded whole.jpg',
        'failed damaged.png: The server interrupted the download 3 times.',
        'failed lost.jpg: This image is damaged or lost. Report this to the administrator of this site.',
      ],
    ])
    const { images } = JSON.parse(await readFile(join(self.folder, 'all/manifest.json'), 'utf8'))
    expect(images.map(({ filename }: { filename: string }) => filename)).toEqual(['whole.jpg'])
  })

  it('keeps its order on another server, unless a token that may only upload sends images in parallel', async () => {
    await using self = await commandVisitor(test)
    // The oldest image takes longest.
    for (const [seed, width] of [1_600, 800, 60, 50, 40].entries())
      await uploadAccepted(test, self.person, await picture({ seed: 900 + seed, width, height: width }), {
        name: `${seed}.jpg`,
      })
    const namesAt = async (site: TestApp, person: Person) =>
      (await site.as(person).image.list({ scope: 'mine' })).items.map(({ filename }) => filename)
    const all = join(self.folder, 'all')
    await self.call(['export', all])
    await using other = await commandVisitor(second)
    const { code, stderr } = await other.call(['import', all])
    expect([code, lines(stderr).at(-2)]).toEqual([0, '5 images: 5 uploaded'])
    expect(await namesAt(second, other.person)).toEqual(await namesAt(test, self.person))
    await using third = await commandVisitor(second, ['upload'])
    const warned = await third.call(['import', all, '--parallel', '3'])
    expect([warned.code, lines(warned.stderr).slice(0, 2)]).toEqual([
      0,
      [
        'This token may only upload: titles, dates, tags and albums are left out.',
        'Uploading 3 images at a time can change their order. Use --parallel 1 to keep it.',
      ],
    ])
  })

  it('downloads only missing or damaged files; the trash only on request', async () => {
    await using self = await commandVisitor(test)
    await withImages(self)
    const all = join(self.folder, 'all')
    await self.call(['export', all])
    const [one = '', two = ''] = (await readdir(join(self.folder, 'all/images'))).sort()
    expect(one).toMatch(/^a_ b_-[0-9a-f]{12}\.jpg$/)
    await rm(join(self.folder, 'all/images', one))
    const whole = await readFile(join(self.folder, 'all/images', two))
    await writeFile(join(self.folder, 'all/images', two), Buffer.alloc(whole.length))
    const again = await self.call(['export', all, '--trash'])
    expect(lines(again.stderr).at(-1)).toBe('3 images: 3 downloaded')
    expect(lines((await self.call(['export', all, '--trash'])).stderr).at(-1)).toBe('3 images: 3 already there')
    expect(await readFile(join(self.folder, 'all/images', two))).toEqual(whole)
    const manifest = JSON.parse(await readFile(join(self.folder, 'all/manifest.json'), 'utf8'))
    const names = manifest.images.map(({ filename, trashedAt }: { filename: string; trashedAt: string | null }) => [
      filename,
      trashedAt !== null,
    ])
    expect(names).toEqual([
      ['beach.jpg', false],
      ['a: b?.jpg', false],
      ['gone.jpg', true],
    ])
  })

  it('overwrites only its own manifest', async () => {
    await using self = await commandVisitor(test)
    await withImages(self)
    const path = join(self.folder, 'manifest.json')
    const call = (...more: string[]) => self.call(['export', self.folder, ...more])
    const refused = {
      code: 1,
      stdout: '',
      stderr: `sluice: ${path} is not from an export of your account. Choose another folder, or use --force to replace it.\n`,
    }
    for (const text of ['{"name":"an app"}', '']) {
      await writeFile(path, text)
      expect(await call()).toEqual(refused)
      expect(await readFile(path, 'utf8')).toBe(text)
    }
    expect((await call('--force')).code).toBe(0)
    expect((await call()).code).toBe(0)
    const own = await readFile(path, 'utf8')
    await writeFile(path, own.replace(/"username": ".*"/, '"username": "somebody else"'))
    expect(await call()).toEqual(refused)
  })

  it('writes a standard zip, overwrites none, and leaves no other file', async () => {
    await using self = await commandVisitor(test)
    await withImages(self)
    const zip = join(self.folder, 'all.zip')
    await self.call(['export', zip])
    const written = await openPromise(zip, { lazyEntries: true })
    const names = await Array.fromAsync(written.eachEntry(), ({ fileName }) => fileName.replace(/-[0-9a-f]{12}/, ''))
    expect(names).toEqual(['manifest.json', 'images/beach.jpg', 'images/a_ b_.jpg'])
    expect(await readdir(self.folder)).toEqual(['all.zip'])
    const again = await self.call(['export', zip])
    expect([again.code, again.stderr]).toEqual([1, `sluice: ${zip} already exists. Use --force to replace it.\n`])
  })

  it('imports no file outside the export, and none with another hash', async () => {
    await using self = await commandVisitor(test)
    await withImages(self)
    const all = join(self.folder, 'all')
    await self.call(['export', all])
    const path = join(self.folder, 'all/manifest.json')
    const text = await readFile(path, 'utf8')
    await writeFile(path, text.replace(/"file": "images\/beach[^"]*"/, '"file": "../secret.jpg"'))
    const outside = await self.call(['import', all])
    expect([outside.code, outside.stderr]).toEqual([
      1,
      'sluice: manifest.json is not a valid manifest of an export: images.0.file: The file is outside the export.\n',
    ])
    await writeFile(path, text)
    const [, beach = ''] = (await readdir(join(self.folder, 'all/images'))).sort()
    await writeFile(join(self.folder, 'all/images', beach), await picture({ seed: 4 }))
    await using other = await commandVisitor(second)
    const swapped = await other.call(['import', join(self.folder, 'all')])
    expect([swapped.code, lines(swapped.stdout).length]).toEqual([1, 1])
    expect(swapped.stderr).toContain(`failed images/${beach}: The file does not match the hash in the export.`)
  })

  it('extracts no file from a zip that is larger than the limit', async () => {
    await using self = await commandVisitor(test)
    const [zip, path] = [join(self.folder, 'bomb.zip'), join(self.folder, 'zeros')]
    await writeFile(path, '')
    await truncate(path, test.app.site.read().maxUploadBytes + 1)
    const shown = {
      slug: 's',
      filename: 'a.png',
      title: 'a',
      visibility: 'link',
      mime: 'image/png',
      width: 1,
      height: 1,
    }
    const image = { file: 'a.png', id: '1', ...shown, createdAt: '', trashedAt: null, sha256: '0'.repeat(64), size: 3 }
    const manifest = { format: 'sluice-export', version: 1, exportedAt: '', server: '', username: '', images: [image] }
    await writeFile(join(self.folder, 'manifest.json'), JSON.stringify(manifest))
    const lastModified = new Date(0)
    const files = [
      { name: 'manifest.json', path: join(self.folder, 'manifest.json'), lastModified },
      { name: 'a.png', path, lastModified },
    ]
    await writeArchive(zip, files, new AbortController().signal)
    const extract = vi.spyOn(Archive.prototype, 'extract')
    const { code, stderr } = await self.call(['import', zip])
    expect([code, lines(stderr)[0]]).toEqual([1, 'failed a.png: The file is too large. The limit is 25 MiB.'])
    expect(extract).not.toHaveBeenCalled()
    extract.mockRestore()
  })
})

describe('commands for images', () => {
  it('list, download, delete and restore', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 2, 1)
    const up = await self.call(['upload', join(self.folder, '1.png'), join(self.folder, '2.png')])
    const [first = '', other = ''] = lines(up.stdout)
    const images = await listImages(test, self.person)
    const [one, two] = [images[0] ?? expect.unreachable(), images[1] ?? expect.unreachable()]

    const list = await self.call(['list'])
    expect(
      lines(list.stdout)
        .toSorted()
        .map((line) => line.split(/ {2,}/).filter((_, column) => column !== 1)),
    ).toEqual(
      [one, two]
        .map(({ id, size, slug, filename }) => [id, `${size} B`, 'link', `${test.origin}/i/${slug}.png`, filename])
        .toSorted(),
    )
    const home = join(self.folder, 'home')
    const down = await self.call(['download', one.id, other, '--to', home])
    expect([down.code, down.stdout, down.stderr]).toEqual([
      0,
      `${home}/1.png\n${home}/2.png\n`,
      '2 images: 2 downloaded\n',
    ])
    expect((await readFile(join(self.folder, 'home/1.png'))).length).toBe(Number(one.size))
    await writeFile(join(self.folder, 'home/2.png'), 'of mine')
    const kept = await self.call(['download', '--all', '--to', home])
    expect([
      kept.code,
      kept.stderr.includes(`failed 2.png: ${home}/2.png already exists with different content`),
    ]).toEqual([1, true])
    expect(await readFile(join(self.folder, 'home/2.png'), 'utf8')).toBe('of mine')

    const gone = await self.call(['delete', one.id, other, crypto.randomUUID()])
    expect([gone.code, lines(gone.stderr).at(-1)]).toEqual([1, '3 images: 2 moved to trash, 1 failed'])
    expect(lines((await self.call(['list', '--trash', '--limit', '1'])).stdout).length).toBe(1)
    expect((await self.call(['restore', first])).stderr).toBe(`restored ${first}\n`)
    const again = await self.call(['restore', first, one.id, two.id])
    expect([again.code, lines(again.stderr)]).toEqual([
      0,
      [
        `not in the trash ${first}`,
        `not in the trash ${one.id}`,
        `restored ${two.id}`,
        '3 images: 1 restored, 2 not in the trash',
      ],
    ])
    await self.call(['delete', two.id])
    expect(JSON.parse((await self.call(['list', '--json'])).stdout).items.map(({ id }: { id: string }) => id)).toEqual([
      one.id,
    ])
    expect((await self.call(['download', 'https://elsewhere.example/i/0123456789012345678901.png'])).code).toBe(2)
  })

  it('report a missing image and a target that is not a folder in one line', async () => {
    await using self = await commandVisitor(test)
    const { id } = await uploadAccepted(test, self.person, await picture({ seed: 951 }))
    const none = { code: 1, stdout: '', stderr: 'sluice: Image not found.\n' }
    expect(await self.call(['open', crypto.randomUUID()])).toEqual(none)
    const file = join(self.folder, 'file')
    await writeFile(file, '')
    for (const args of [
      ['download', id, '--to', file],
      ['export', file],
    ]) {
      const { code, stdout, stderr } = await self.call(args)
      expect([code, stdout, lines(stderr).at(-1)]).toEqual([
        1,
        '',
        expect.stringMatching(/^sluice: E[A-Z]+: .*, mkdir /),
      ])
    }
    const zip = await self.call(['import', file])
    expect([zip.code, zip.stderr]).toEqual([1, expect.stringMatching(/ cannot be read as a \.zip file: .*[^.]\.\n$/)])
  })

  it('stop at the first image when the disk is full', async () => {
    await using disk = await mountSmallDisk(64 * 1024)
    if (!disk) return
    await using self = await commandVisitor(test)
    const ids: string[] = []
    for (const seed of [960, 961, 962]) {
      const large = await picture({ seed, width: 900, height: 600, format: 'png' })
      ids.push((await uploadAccepted(test, self.person, large)).id)
    }
    const bytes = vi.spyOn(test.app.images.store, 'open')
    const down = await self.call(['download', '--parallel', '1', '--to', disk.path, ...ids])
    expect([down.code, lines(down.stderr)]).toEqual([
      1,
      expect.arrayContaining([
        'sluice: ENOSPC: no space left on device, write.',
        '3 remaining. Run the same command again to resume.',
      ]),
    ])
    expect(bytes).toHaveBeenCalledTimes(1)
    bytes.mockRestore()
    expect(await readdir(disk.path)).toEqual([])
  })

  it('give each image its own file where names differ only in case or normalization', async () => {
    await using self = await commandVisitor(test)
    const names = ['\u00e9.jpg', 'e\u0301.jpg', '\u00c9.jpg']
    const ids: string[] = []
    for (const [seed, name] of names.entries())
      ids.push((await uploadAccepted(test, self.person, await picture({ seed: 970 + seed }), { name })).id)
    const { stdout } = await self.call(['download', '--force', '--parallel', '1', '--to', self.folder, ...ids])
    const marks = ids.slice(1).map((id) => id.slice(-8))
    expect(lines(stdout)).toEqual([
      join(self.folder, '\u00e9.jpg'),
      join(self.folder, `e\u0301-${marks[0]}.jpg`),
      join(self.folder, `\u00c9-${marks[1]}.jpg`),
    ])
  })

  it('restore with a token that may not read, without revealing whether the image was in the trash', async () => {
    await using self = await commandVisitor(test, ['upload', 'manage'])
    const { id } = await uploadAccepted(test, self.person, await picture({ seed: 950 }))
    await test.as(self.person).image.delete({ id })
    expect(await self.call(['restore', id])).toEqual({
      code: 0,
      stdout: '',
      stderr: `restored or not in the trash ${id}\n`,
    })
    expect((await listImages(test, self.person))[0]?.trashedAt).toBe(null)
    const again = await self.call(['restore', '--json', id, crypto.randomUUID()])
    const { out, restored, failed } = JSON.parse(again.stdout)
    expect([again.code, out, restored, failed]).toEqual([1, 1, undefined, 1])
  })

  it('follow no link that another user created in a shared folder', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 1, 2)
    const { stdout } = await self.call(['upload', join(self.folder, '1.png')])
    const [home, victim] = [join(self.folder, 'home'), join(self.folder, 'victim')]
    await mkdir(home)
    await writeFile(victim, 'of mine')
    for (const name of ['1.png', 'all.zip']) await symlink(victim, join(home, `${name}.${process.pid}.part`))
    expect((await self.call(['download', lines(stdout)[0] ?? '', '--to', home])).code).toBe(0)
    expect((await self.call(['export', join(home, 'all.zip')])).code).toBe(0)
    expect(await readFile(victim, 'utf8')).toBe('of mine')
    expect((await readdir(home)).sort()).toEqual(['1.png', 'all.zip'])
  })

  it('open a page in the browser, and show the limits', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 1, 2)
    const { stdout } = await self.call(['upload', join(self.folder, '1.png')])
    const [image] = await listImages(test, self.person)
    const opened = await self.run(['open', stdout.trim()], { env: { BROWSER: 'true' } })
    expect([opened.code, opened.stdout]).toEqual([0, `${test.origin}/image/${image?.slug}\n`])
    const limits = await self.call(['limits'])
    expect(lines(limits.stdout)[0]).toMatch(/^RULE SET +RULE +USED +LEFT +MORE IN$/)
    expect(limits.stdout).toMatch(/^upload +300 per hour +1 +299 +\d+ (min|h).*$/m)
    expect(limits.stdout).toContain('\nImages take ')
  })
})
