import { chown, mkdir, mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { BackupFailed } from '#server/owner/backup/format.ts'
import type { Io } from '../command.ts'
import { openAccess } from './access.ts'
import { inWords } from './in-words.ts'
import { restoreFile } from './restore-file.ts'

function ioWith(env: Io['env'], signal = new AbortController().signal): Io {
  return { env, stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough(), signal }
}

test.each([
  ['what lies in it', 'data/objects', 'data/objects'],
  ['an empty one', 'data', 'data'],
  ['where it would be made', '.', '.'],
])('root makes nothing in the folder of another user, who could not use it any more: %s', async (_, made, named) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-access-'))
  await mkdir(join(folder.path, made), { recursive: true })
  if (process.getuid?.() === 0) await chown(join(folder.path, made), 65_534, 65_534)
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(0)
  const before = await readdir(folder.path, { recursive: true })
  const io = ioWith({ SLUICE_DATA: join(folder.path, 'data'), NODE_ENV: 'production' })
  const message = expect.stringContaining(
    `No server runs, and ${join(folder.path, named)} is another user's: do this as`,
  )
  const refused = { failure: 'refused', message }
  await expect(openAccess(io, { mayBeNew: true })).rejects.toMatchObject(refused)
  await expect(restoreFile('any.tar', io)).rejects.toMatchObject(refused)
  expect(await readdir(folder.path, { recursive: true })).toEqual(before)
  getuid.mockRestore()
})

const ofFile = (code: string) => Object.assign(new Error(`${code}: raw`), { code, syscall: 'open', path: '/srv/x' })

test.each([
  [ofFile('ENOENT'), 'failed', 'It failed. There is no /srv/x.'],
  [ofFile('EISDIR'), 'failed', 'It failed. /srv/x is a folder.'],
  [ofFile('ENOTDIR'), 'failed', 'It failed. /srv/x lies in no folder.'],
  [ofFile('EACCES'), 'refused', 'It failed. /srv/x is not for this user to read or write.'],
  [ofFile('EROFS'), 'failed', 'It failed. EROFS: raw'],
  [ofFile('ENOSPC'), 'failed', 'It failed. The server has no disk space left. Try again later.'],
  [new CannotStart('A setting is wrong.'), 'failed', 'It failed. A setting is wrong.'],
  [new BackupFailed('It is cut off.'), 'failed', 'It failed. It is cut off.'],
])('%s is told in a sentence', async (error, failure, message) => {
  await expect(inWords(ioWith({}), 'It', () => Promise.reject(error))).rejects.toMatchObject({ failure, message })
})

test('a bug is a bug, and what was broken off is no failure', async () => {
  const bug = new Error('a bug')
  const failing = () => Promise.reject(bug)
  await expect(inWords(ioWith({}), null, failing)).rejects.toBe(bug)
  const told = { failure: 'interrupted', message: 'The restore was broken off.' }
  await expect(inWords(ioWith({}, AbortSignal.abort()), 'The restore', failing)).rejects.toMatchObject(told)
})
