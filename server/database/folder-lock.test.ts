import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FolderInUse, lockFolder } from './folder-lock.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sluice-lock-'))
})
afterEach(() => rm(folder, { recursive: true }))

it('locks a folder until it is released', () => {
  const first = lockFolder(folder)
  expect(() => lockFolder(folder)).toThrow(FolderInUse)
  first[Symbol.dispose]()
  lockFolder(folder)[Symbol.dispose]()
})

it('ends with its process, even by kill -9', async () => {
  const module = join(import.meta.dirname, 'folder-lock.ts')
  const script = `import { lockFolder } from ${JSON.stringify(module)}; lockFolder(${JSON.stringify(folder)}); console.log('held'); setInterval(() => {}, 1000)`
  const holder = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  await once(holder.stdout, 'data')
  expect(() => lockFolder(folder)).toThrow(FolderInUse)
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  lockFolder(folder)[Symbol.dispose]()
})
