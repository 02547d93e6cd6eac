import { mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { InvalidSetting } from './cannot-start.ts'
import { loadConfig } from './config.ts'

const emptyFolder = () => mkdtempDisposable(join(tmpdir(), 'sluice-secret-'))

const secretIn = async (folder: string) => (await loadConfig({ SLUICE_DATA: folder })).secret

test('processes that start together have the same, complete secret', async () => {
  for (let round = 0; round < 60; round += 1) {
    await using folder = await emptyFolder()
    const secrets = await Promise.all(Array.from({ length: 8 }, () => secretIn(folder.path)))
    expect(new Set(secrets).size).toBe(1)
    expect(secrets[0]).toHaveLength(43)
    expect(await readdir(folder.path)).toEqual(['secret'])
  }
})

test.each(['', '\n', 'a'.repeat(31)])('rejects a file with %j, such as a full disk leaves', async (text) => {
  await using folder = await emptyFolder()
  await writeFile(join(folder.path, 'secret'), text)
  await expect(secretIn(folder.path)).rejects.toThrow(InvalidSetting)
  await expect(secretIn(folder.path)).rejects.toThrow(/secret has fewer than 32 characters/)
})

test('ignores a line end after the secret', async () => {
  await using folder = await emptyFolder()
  await writeFile(join(folder.path, 'secret'), `${'b'.repeat(32)}\n`)
  expect(await secretIn(folder.path)).toBe('b'.repeat(32))
})
