import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import type { Io } from '../command.ts'
import { explained, openAccess } from './access.ts'
import { restoreFile } from './restore-file.ts'

test('root opens nothing in the folder of another user: the server could not any more', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-access-'))
  await using _ = { [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
  const objects = join(folder, 'objects')
  await mkdir(objects)
  if (process.getuid?.() === 0) await chown(objects, 65_534, 65_534)
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(0)
  const [stdin, stdout, stderr] = [Readable.from([]), new PassThrough(), new PassThrough()]
  const env = { SLUICE_DATA: folder, SLUICE_SECRET: 'x'.repeat(40), NODE_ENV: 'production' }
  const io: Io = { env, stdin, stdout, stderr, signal: new AbortController().signal }
  const refused = { failure: 'refused', message: expect.stringContaining(`what is in ${folder} is another user's`) }
  await expect(openAccess(io, { mayBeNew: true })).rejects.toMatchObject(refused)
  await expect(restoreFile('any.tar', io)).rejects.toMatchObject(refused)
  expect(await readdir(folder)).toEqual(['objects'])
  getuid.mockRestore()
})

test('what only the user of the server may read is told in a sentence, and a bug is not', async () => {
  const failing = (error: Error) => explained(() => Promise.reject(error))
  const denied = Object.assign(new Error('EACCES'), { code: 'EACCES', path: '/srv/data/secret' })
  await expect(failing(denied)).rejects.toMatchObject({
    failure: 'refused',
    message: '/srv/data/secret is only for the user whose server this is, and root.',
  })
  const bug = new Error('a bug')
  await expect(failing(bug)).rejects.toBe(bug)
})
