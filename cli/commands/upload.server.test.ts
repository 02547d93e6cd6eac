import { once } from 'node:events'
import { mkdtempDisposableSync, readdirSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { picture } from '#testing/images/pictures.ts'
import { freePort } from '#testing/servers/free-port.ts'
import { type Person, startApp, type TestApp } from '#testing/sluice/sluice-app.ts'
import { commandHome, commandVisitor, writePictures } from '#testing/sluice/sluice-command.ts'

let test: TestApp
let root: Person
beforeAll(async () => {
  test = await startApp()
  root = await test.person({ role: 'superadmin' })
})
afterAll(() => test[Symbol.asyncDispose]())

/** Overrides the upload limit of a user. */
async function limitUploads({ viewer }: Person, limit: number, window: '1s' | '30s'): Promise<void> {
  const target = { kind: 'subject' as const, subject: viewer.userId }
  await test.as(root).limits.override({ ruleSet: 'upload', target, terms: { rules: [{ limit, window }] } })
}

const listImages = ({ viewer }: Person) =>
  test.app.db.image.findMany({ where: { ownerId: viewer.userId }, orderBy: { createdAt: 'asc' } })
const small = (seed: number) => picture({ format: 'png', width: 8, height: 8, seed })
const lines = (text: string) => text.split('\n').slice(0, -1)

describe('sluice upload', () => {
  it('prints one address per line in the order of the arguments, and everything else to standard error', async () => {
    await using self = await commandVisitor(test)
    const { folder, person } = self
    await mkdir(join(folder, 'album/deep'), { recursive: true })
    const names = ['b.png', 'album/2.png', 'album/10.png', 'album/deep/ünïcode #1.bin', 'album/.hidden.png']
    for (const [seed, name] of names.entries()) await writeFile(join(folder, name), await small(seed))
    await writeFile(join(folder, 'album/notes.txt'), 'no picture')
    const args = ['upload', 'b.png', 'album', '-', '--name', 'piped.png', '--visibility', 'private']
    const { code, stdout, stderr } = await self.run(args, { stdin: await small(9) })
    const images = new Map((await listImages(person)).map((image) => [image.filename, image]))
    const order = ['b.png', '2.png', '10.png', 'ünïcode #1.bin', 'piped.png']
    expect(lines(stdout)).toEqual(order.map((name) => `${test.origin}/i/${images.get(name)?.slug}.png`))
    expect(lines(stderr)).toEqual([
      'uploaded b.png',
      'uploaded album/2.png',
      'uploaded album/10.png',
      'uploaded album/deep/ünïcode #1.bin',
      'uploaded - as piped.png',
      '5 files: 5 uploaded; 1 other file skipped',
    ])
    expect([code, new Set([...images.values()].map(({ visibility }) => visibility))]).toEqual([0, new Set(['private'])])
  })

  it('reports failures, and uploads the rest', async () => {
    await using self = await commandVisitor(test)
    await writeFile(join(self.folder, 'text.png'), 'no picture')
    await writeFile(join(self.folder, 'empty.png'), '')
    await writeFile(join(self.folder, 'good.png'), await small(20))
    const { code, stdout, stderr } = await self.run(['upload', 'text.png', 'empty.png', 'missing.png', 'good.png'])
    expect([code, lines(stdout).length]).toEqual([1, 1])
    expect(lines(stderr)).toEqual([
      'failed text.png: Only JPEG, PNG, GIF, WebP, AVIF and HEIC images are supported.',
      'failed empty.png: The file is empty.',
      'failed missing.png: No such file.',
      'uploaded good.png',
      '4 files: 1 uploaded, 3 failed',
    ])
    const json = await self.run(['upload', '--json', 'good.png', 'missing.png'])
    const [image] = await listImages(self.person)
    const { id, slug, filename, sha256, size, mime, visibility } = image ?? expect.unreachable()
    const sent = {
      id,
      slug,
      url: `${test.origin}/i/${slug}.png`,
      filename,
      sha256,
      size: Number(size),
      mime,
      visibility,
    }
    expect(JSON.parse(json.stdout)).toEqual({
      total: 2,
      there: 1,
      failed: 1,
      leftOut: 0,
      items: [
        { item: 'good.png', state: 'there', ...sent },
        { item: 'missing.png', state: 'failed', reason: 'No such file.' },
      ],
    })
  })

  it('sends a file again that the server no longer has, but not one that was only moved', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 2, 3)
    const [one, moved] = [join(self.folder, '1.png'), join(self.folder, 'moved.png')]
    await self.call(['upload', one, join(self.folder, '2.png')])
    const first = (await listImages(self.person)).find(({ filename }) => filename === '1.png')
    await test.as(self.person).image.delete({ id: first?.id ?? '' })
    await writeFile(moved, await readFile(join(self.folder, '2.png')))
    const { stderr } = await self.call(['upload', one, moved])
    expect(lines(stderr)).toEqual([
      `uploaded ${one}`,
      `already there ${moved} as 2.png`,
      '2 files: 1 uploaded, 1 already there',
    ])
  })

  it('changes images that are already there to the requested visibility, and sends nothing again', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 2, 31)
    const paths = ['1.png', '2.png'].map((name) => join(self.folder, name))
    const [one = '', two = ''] = paths
    const sent = await self.call(['upload', one])
    const visibilities = async () => (await listImages(self.person)).map(({ visibility }) => visibility)
    const change = async (visibility: string) => {
      const { code, stdout, stderr } = await self.call(['upload', '--visibility', visibility, ...paths])
      return [code, stdout.startsWith(sent.stdout), lines(stderr), await visibilities()]
    }
    const first = [`changed ${one}`, `uploaded ${two}`, '2 files: 1 uploaded, 1 changed']
    expect(await change('public')).toEqual([0, true, first, ['public', 'public']])
    const second = [`already there ${one}`, `already there ${two}`, '2 files: 2 already there']
    expect(await change('public')).toEqual([0, true, second, ['public', 'public']])
    // An image made private gets a new address.
    const third = [`changed ${one}`, `changed ${two}`, '2 files: 2 changed']
    expect(await change('private')).toEqual([0, false, third, ['private', 'private']])
    const { stdout, stderr } = await self.call(['upload', '--json', one])
    const { slug } = (await listImages(self.person))[0] ?? expect.unreachable()
    expect([stderr, JSON.parse(stdout).items[0]]).toMatchObject([
      `already there ${one}\n`,
      { slug, visibility: 'private' },
    ])
  })

  it('reports that the token may not change an image that is already there', async () => {
    await using self = await commandVisitor(test, ['upload', 'read'])
    await writePictures(self.folder, 2, 32)
    const paths = ['1.png', '2.png'].map((name) => join(self.folder, name))
    const [one = '', two = ''] = paths
    await self.call(['upload', one])
    const { code, stderr } = await self.call(['upload', '--visibility', 'private', ...paths])
    expect([code, lines(stderr)]).toEqual([
      1,
      [
        `failed ${one}: It is already there with the visibility “link”, which this token cannot change.`,
        `uploaded ${two}`,
        '2 files: 1 uploaded, 1 failed',
      ],
    ])
  })

  it('works with a token that may only upload', async () => {
    await using self = await commandVisitor(test, ['upload'])
    await writePictures(self.folder, 1, 4)
    const one = join(self.folder, '1.png')
    const first = await self.call(['upload', one])
    const again = await self.call(['upload', one])
    expect([first.stderr, again.stderr, again.stdout === first.stdout]).toEqual([
      `uploaded ${one}\n`,
      `already there ${one}\n`,
      true,
    ])
    expect((await self.call(['list'])).stderr).toBe('sluice: This token does not have the scope “read”.\n')
  })
})

describe('sluice import', () => {
  it('waits for a limit, and completes', async () => {
    await using self = await commandVisitor(test)
    await writePictures(join(self.folder, 'photos'), 9, 5)
    await limitUploads(self.person, 5, '1s')
    // The server's window does not end before the command waits for it, however slow the machine is.
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now())
    const { code, stdout, stderr } = await self.run(['import', 'photos'], {
      onStart: (child) => child.stderr?.on('data', (text) => String(text).includes('waiting') && clock.mockRestore()),
    })
    expect([code, lines(stdout).length, lines(stderr).at(-1)]).toEqual([0, 9, '9 files: 9 uploaded'])
    expect(lines(stderr)).toContainEqual(expect.stringMatching(/^waiting \d s: upload limit reached \(5 per second\)$/))
    expect((await listImages(self.person)).length).toBe(9)
  })

  it('is refused at once with --no-wait, and reports what remains', async () => {
    await using self = await commandVisitor(test)
    await writePictures(self.folder, 4, 6)
    await limitUploads(self.person, 2, '30s')
    const { code, stdout, stderr } = await self.run(['import', '.', '--no-wait', '--parallel', '1'])
    expect([code, lines(stdout).length]).toEqual([4, 2])
    expect(lines(stderr)).toEqual([
      'uploaded 1.png',
      'uploaded 2.png',
      '4 files: 2 uploaded, 2 remaining',
      expect.stringMatching(/^sluice: upload limit reached \(2 per 30 seconds\)\. Try again in \d+ s\.$/),
      '2 remaining. Run the same command again to resume.',
    ])
  })

  it.each(['SIGKILL', 'SIGINT'] as const)('is ended by %s, and resumes', async (signal) => {
    await using self = await commandVisitor(test)
    await writePictures(join(self.folder, 'photos'), 7, signal === 'SIGINT' ? 7 : 8)
    await limitUploads(self.person, 4, '30s')
    const ended = await self.run(['import', 'photos', '--parallel', '1'], {
      onStart: (child) => child.stderr?.on('data', (text) => String(text).includes('waiting') && child.kill(signal)),
    })
    const { code, stderr } = ended
    if (signal === 'SIGKILL') expect(ended.signal).toBe('SIGKILL')
    else {
      const left = 'Interrupted. 3 remaining. Run the same command again to resume.'
      expect([code, ...lines(stderr).slice(-2)]).toEqual([130, '7 files: 4 uploaded, 3 remaining', left])
    }
    await limitUploads(self.person, 50, '1s')
    const again = await self.run(['import', 'photos'])
    const counts = '7 files: 3 uploaded, 4 already there'
    expect([again.code, lines(again.stdout).length, lines(again.stderr).at(-1)]).toEqual([0, 7, counts])
    expect((await listImages(self.person)).length).toBe(7)
  })

  it('is interrupted once by two signals at the same time, as npx forwards those of a terminal', async () => {
    await using other = await commandVisitor(test)
    await writePictures(other.folder, 2, 9)
    await other.call(['upload', join(other.folder, '1.png'), join(other.folder, '2.png')])
    await other.call(['export', join(other.folder, 'a.zip')])
    await using self = await commandVisitor(test)
    await limitUploads(self.person, 1, '30s')
    using temp = mkdtempDisposableSync(join(tmpdir(), 'sluice-signals-'))
    const { code, stderr } = await self.run(['import', join(other.folder, 'a.zip')], {
      env: { TMPDIR: temp.path },
      onStart: (child) =>
        child.stderr?.on('data', (text) => {
          if (String(text).includes('waiting')) for (const signal of ['SIGINT', 'SIGTERM'] as const) child.kill(signal)
        }),
    })
    const left = 'Interrupted. 1 remaining. Run the same command again to resume.'
    expect([code, lines(stderr).at(-1), readdirSync(temp.path)]).toEqual([130, left, []])
  })

  it('leaves only its journal behind', async () => {
    await using self = await commandVisitor(test)
    await self.run(['upload', '-'], { stdin: await small(30) })
    expect(await readdir(self.folder, { recursive: true })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\.local\/state\/sluice\/.+\.jsonl$/)]),
    )
  })
})

describe('the server', () => {
  it('rejects the token, is unreachable, or is not Sluice', async () => {
    await using home = await commandHome({ SLUICE_URL: test.origin, SLUICE_TOKEN: `slu_${'x'.repeat(43)}` })
    await writePictures(home.folder, 1, 1)
    const wrong = await home.run(['upload', '1.png'])
    expect(wrong).toMatchObject({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^sluice: This token is not valid/),
    })
    const none = await home.call(['upload', '1.png'], { env: { SLUICE_TOKEN: '' } })
    expect([none.code, none.stderr]).toEqual([
      3,
      `sluice: No token for ${test.origin}. Run sluice login, or set SLUICE_TOKEN.\n`,
    ])
    const away = await home.call(['list'], { env: { SLUICE_URL: `http://127.0.0.1:${await freePort()}` } })
    expect([away.code, away.stderr.split('\n').at(-2)]).toEqual([
      5,
      'sluice: The server is unavailable: no answer (ECONNREFUSED).',
    ])
    expect((await home.call(['upload'])).code).toBe(2)
    const elsewhere = createServer((_req, res) => res.writeHead(404, { 'content-type': 'text/html' }).end())
    elsewhere.listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const { port } = Object(elsewhere.address())
    const foreign = await home.call(['list'], { env: { SLUICE_URL: `http://127.0.0.1:${port}` } })
    elsewhere.close()
    expect([foreign.code, foreign.stderr]).toEqual([5, `sluice: http://127.0.0.1:${port} is not a Sluice server.\n`])
  })
})
