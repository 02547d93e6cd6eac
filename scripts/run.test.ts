import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
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

test('gives all of the output to a listener', async () => {
  const heard: Buffer[] = []
  expect(await run(['sh', '-c', 'echo one; echo two >&2; exit 3'], {}, (output) => heard.push(output))).toBe(false)
  expect(Buffer.concat(heard).toString().split('\n').toSorted()).toEqual(['', 'one', 'two'])
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
    const sleep = ['sh', '-c', 'sleep 60 & echo $!; wait']
    await Promise.all([run(sleep), run(sleep)])`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script])
  const grandchildren = new Set<number>()
  for await (const printed of createInterface(child.stdout)) if (grandchildren.add(Number(printed)).size === 2) break
  expect([...grandchildren].map(isAlive)).toEqual([true, true])
  child.kill(signal)
  expect(await once(child, 'exit')).toEqual([code, null])
  // A process stays in the process table until init has reaped it, which may take a while.
  await expect.poll(() => [...grandchildren].map(isAlive)).toEqual([false, false])
})
