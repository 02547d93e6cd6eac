import { chown, mkdir, mkdtempDisposable, readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable } from 'node:stream'
import { expect, test, vi } from 'vitest'
import { CannotStart } from '#server/cannot-start.ts'
import { BackupFailed } from '#server/owner/backup/format.ts'
import type { Io } from '../command.ts'
import { openOwnerAccess } from './access.ts'
import { fileSource } from './backup-source.ts'
import { explainErrors } from './explain-errors.ts'
import { restoreFrom } from './restore-file.ts'

function ioWith(env: Io['env'], signal = new AbortController().signal): Io {
  return { env, stdin: Readable.from([]), stdout: new PassThrough(), stderr: new PassThrough(), signal }
}

test.each([
  ['the data in it', 'data/objects', 'data/objects'],
  ['an empty folder', 'data', 'data'],
  ['the folder to create it in', '.', '.'],
])('root creates nothing in a folder that belongs to another user: %s', async (_, made, named) => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-access-'))
  await mkdir(join(folder.path, made), { recursive: true })
  if (process.getuid?.() === 0) await chown(join(folder.path, made), 65_534, 65_534)
  const getuid = vi.spyOn(process, 'getuid').mockReturnValue(0)
  const before = await readdir(folder.path, { recursive: true })
  const io = ioWith({ SLUICE_DATA: join(folder.path, 'data'), NODE_ENV: 'production' })
  const message = expect.stringContaining(
    `No server is running, and ${join(folder.path, named)} belongs to another user. Run this as that user, with sudo -u '#`,
  )
  const refused = { failure: 'refused', message }
  await expect(openOwnerAccess(io, { mayBeNew: true })).rejects.toMatchObject(refused)
  await expect(restoreFrom(fileSource('any.tar'), io)).rejects.toMatchObject(refused)
  expect(await readdir(folder.path, { recursive: true })).toEqual(before)
  getuid.mockRestore()
})

const ofFile = (code: string) => Object.assign(new Error(`${code}: raw`), { code, syscall: 'open', path: '/srv/x' })

test.each([
  [ofFile('ENOENT'), 'failed', 'It failed. /srv/x does not exist.'],
  [ofFile('EISDIR'), 'failed', 'It failed. /srv/x is a folder.'],
  [ofFile('ENOTDIR'), 'failed', 'It failed. A part of /srv/x is not a folder.'],
  [ofFile('EACCES'), 'refused', 'It failed. No permission to read or write /srv/x.'],
  [ofFile('EROFS'), 'failed', 'It failed. EROFS: raw'],
  [Object.assign(new Error('EACCES: raw'), { code: 'EACCES', syscall: 'write' }), 'refused', 'It failed. EACCES: raw'],
  [ofFile('ENOSPC'), 'failed', 'It failed. The server has no disk space left. Try again later.'],
  [new CannotStart('A setting is wrong.'), 'failed', 'It failed. A setting is wrong.'],
  [new BackupFailed('It is cut off.'), 'failed', 'It failed. It is cut off.'],
])('explains %s', async (error, failure, message) => {
  const explained = explainErrors(
    ioWith({}),
    () => Promise.reject(error),
    (reason) => `It failed. ${reason}`,
  )
  await expect(explained).rejects.toMatchObject({ failure, message })
})

test('throws a bug as it is, and an interrupted command is not a failure', async () => {
  const bug = new Error('a bug')
  const failing = () => Promise.reject(bug)
  await expect(explainErrors(ioWith({}), failing)).rejects.toBe(bug)
  const interrupted = { failure: 'interrupted', message: 'Interrupted.' }
  await expect(explainErrors(ioWith({}, AbortSignal.abort()), failing)).rejects.toMatchObject(interrupted)
})
