import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { spawnKept } from '../../testing/servers/kept-process.ts'

/** A server in a separate process on the first core. The load runs on the second. */
export interface Pinned extends AsyncDisposable {
  readonly pid: number
  /** Its first line of output, parsed as JSON. */
  readonly told: unknown
}

/** Starts a command whose first line of output is JSON. */
export async function startPinned(command: readonly [string, ...string[]]): Promise<Pinned> {
  const child = spawnKept({ command: ['taskset', '-c', '0', ...command], stopSignal: 'TERM' })
  child.stderr.pipe(process.stderr)
  const ended = once(child, 'exit')
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended.then(() => [])])
  if (typeof line !== 'string') throw new Error(`${command.join(' ')} did not start`)
  return {
    pid: z.number().parse(child.pid),
    told: JSON.parse(line),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The resident memory of a process in bytes. */
export async function residentBytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) * 1_024
}

/** Clock ticks per second, always 100 on Linux. */
const TICKS = 100

/** The CPU time of a process in seconds. */
export function cpuSeconds(pid: number): number {
  // After the name, which may contain anything, user and system time are the 12th and 13th fields.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS
}
