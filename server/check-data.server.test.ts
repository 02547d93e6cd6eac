import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempDisposableSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const program = join(import.meta.dirname, 'check-data.ts')

function run(cwd: string, ...args: string[]) {
  const { PATH = '' } = process.env
  const env = { NODE_ENV: 'production' as const, PATH, SLUICE_DATA: 'mistyped' }
  const { status, stderr } = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    cwd,
    env,
    encoding: 'utf8',
  })
  return { status, stderr }
}

test('without a site it fails and creates nothing', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-check-data-'))
  const stderr = 'There is no database of Sluice here yet. Are these the settings of the server?\n'
  expect(run(folder.path)).toEqual({ status: 1, stderr })
  expect(readdirSync(folder.path)).toEqual([])
})

test('unknown options and unreadable settings are reported in a sentence', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'sluice-check-data-'))
  const stderr = 'The only option is --repair: npm run check:data -- --repair\n'
  expect(run(folder.path, '--repare')).toEqual({ status: 1, stderr })
  mkdirSync(join(folder.path, '.env'))
  const unread = expect.stringMatching(/^\S+\.env cannot be read: .*\n$/)
  expect(run(folder.path)).toEqual({ status: 1, stderr: unread })
})
