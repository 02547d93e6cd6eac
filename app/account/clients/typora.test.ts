import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openUploadScene } from '#testing/http/upload-client.ts'
import { picture } from '#testing/images/pictures.ts'
import { listProgramSettings } from './settings.ts'

const run = promisify(execFile)
const scene = await openUploadScene()
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-typora-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  await scene[Symbol.asyncDispose]()
})

/** Runs the command as Typora does: in a shell, with the quoted paths appended. */
async function upload(token: string, paths: readonly string[]): Promise<string[]> {
  const settings = listProgramSettings(scene.test.app.config.origin, token).find(({ name }) => name === 'Typora')
  const quoted = paths.map((path) => `'${path.replaceAll(`'`, `'\\''`)}'`)
  const { stdout } = await run('sh', ['-c', [settings?.text, ...quoted].join(' ')])
  return stdout.trimEnd().split('\n')
}

test('Typora’s command uploads files of any name with the installed curl and prints a URL for each', async () => {
  const { person, token } = await scene.client()
  const names = [
    'a"b.png',
    'a\\b.png',
    'with space.png',
    'ü.png',
    'a;b,c.png',
    '[1-3]{x,y}.png',
    '50% #1 ? & +.png',
    `it's $HOME \`id\`.png`,
    '-o.png',
  ]
  // curl could misread the folder's name as well.
  const within = join(folder, 'a "b", {c}; [d]')
  await mkdir(within)
  const paths = names.map((name) => join(within, name))
  for (const [seed, path] of paths.entries())
    await writeFile(path, await picture({ format: 'png', width: 24, height: 16, seed }))
  const printed = await upload(token, paths)
  expect(new Set(printed).size).toBe(names.length)
  for (const url of printed) await scene.expectPicture(url)
  // curl and the server take everything before a backslash for a folder.
  const kept = names.map((name) => name.replace('a\\', ''))
  expect((await scene.listImages(person)).map(({ filename }) => filename)).toEqual(kept)
})

test('a refused file stops the command, which prints the error after the URLs of the earlier files', async () => {
  const { person, token } = await scene.client()
  const paths = ['one.png', 'no "image".png', 'three.png'].map((name) => join(folder, name))
  const [one = '', none = '', three = ''] = paths
  await writeFile(one, scene.png)
  await writeFile(none, 'text')
  await writeFile(three, scene.jpeg)
  const { code, stdout } = Object(await upload(token, paths).catch((error: unknown) => error))
  const reason = 'Only JPEG, PNG, GIF, WebP, AVIF and HEIC images are supported.'
  expect([code, stdout.split('\n').slice(1)]).toEqual([22, [reason, '']])
  expect(await scene.listImages(person)).toMatchObject([{ filename: 'one.png' }])
})
