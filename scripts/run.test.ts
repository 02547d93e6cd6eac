import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { run } from './run.ts'

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('returns whether the program succeeded', async () => {
  expect(await run(['node', '-e', 'process.exit(0)'])).toBe(true)
  expect(await run(['node', '-e', 'process.exit(3)'])).toBe(false)
  expect(await run(['sh', '-c', 'kill -9 $$'])).toBe(false)
})

test('adds to the environment', async () => {
  expect(await run(['sh', '-c', 'test "$SLUICE_TEST" = here && test -n "$PATH"'], { SLUICE_TEST: 'here' })).toBe(true)
})

test('a program that does not exist is an error', async () => {
  await expect(run(['no-such-program'])).rejects.toThrow('ENOENT')
})

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s ends all started processes, grandchildren included', async (signal, code) => {
  const script = `
    const { run } = await import('${join(import.meta.dirname, 'run.ts')}')
    await run(['sh', '-c', 'sleep 60 & echo $!; wait'])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const [printed] = await once(child.stdout, 'data')
  const grandchild = Number(printed)
  expect(isAlive(grandchild)).toBe(true)
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([code, null])
  // A process stays in the process table until init has reaped it, which may take a while.
  await expect.poll(() => isAlive(grandchild), { timeout: 20_000 }).toBe(false)
})
