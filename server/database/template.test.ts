import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtempDisposable, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { migrationNames } from './migrate.ts'
import { copyTemplate } from './template.ts'

/** Makes a template that nobody may write to, as in an image. */
async function makeTemplate(folder: string, migrations: readonly string[]): Promise<string> {
  const template = join(folder, 'template')
  await mkdir(join(template, 'pgdata/empty'), { recursive: true })
  await writeFile(join(template, 'pgdata/PG_VERSION'), '18\n', { mode: 0o444 })
  await writeFile(join(template, 'migrations'), migrations.join('\n'))
  await chmod(join(template, 'pgdata'), 0o555)
  return template
}

test('copies the template, empty folders included, for its new owner alone', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-template-'))
  const pgdata = join(folder.path, 'pgdata')
  // Left by an interrupted start.
  await mkdir(`${pgdata}.new/half`, { recursive: true })
  await copyTemplate(pgdata, await makeTemplate(folder.path, await migrationNames()))
  const modes = await Promise.all(
    ['', 'empty', 'PG_VERSION'].map(async (name) => (await stat(join(pgdata, name))).mode),
  )
  expect(modes.map((mode) => mode & 0o777)).toEqual([0o700, 0o700, 0o600])
  expect(await readFile(join(pgdata, 'PG_VERSION'), 'utf8')).toBe('18\n')
  expect([existsSync(join(pgdata, 'half')), existsSync(`${pgdata}.new`)]).toEqual([false, false])
})

test('copies nothing without a template, or from one with other migrations', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-template-'))
  const pgdata = join(folder.path, 'pgdata')
  await copyTemplate(pgdata, join(folder.path, 'missing'))
  await copyTemplate(pgdata, await makeTemplate(folder.path, (await migrationNames()).slice(1)))
  expect(existsSync(pgdata)).toBe(false)
})
