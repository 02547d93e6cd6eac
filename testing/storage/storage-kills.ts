import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)
const failed = z.object({ signal: z.string().nullable(), stderr: z.string() })

/**
 * Kills a process that works on a store, by default with uploads, purges and sweeps, before the step `first`, then another one `stride` steps later and so on, on
 * the same data, until one reaches its end. Each first checks that the data is consistent. Returns how many were killed, and the
 * number of steps.
 */
export async function killBeforeEachStep(
  databaseUrl: string | null,
  first: number,
  stride: number,
  worker = 'kill-worker.ts',
): Promise<{ kills: number; steps: number }> {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-kills-'))
  try {
    for (let kills = 0; ; kills += 1) {
      const steps = await work(worker, { dataDir, databaseUrl, killAt: first + kills * stride })
      if (steps !== null) return { kills, steps }
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** Returns the number of steps; null if the process was killed. Throws its error output if it failed. */
async function work(name: string, order: object): Promise<number | null> {
  const worker = join(import.meta.dirname, name)
  try {
    const { stdout } = await run(process.execPath, [
      '--disable-warning=ExperimentalWarning',
      // It opens the embedded database and ends soon, so optimising the code does not pay off.
      '--liftoff-only',
      worker,
      JSON.stringify(order),
    ])
    return Number(stdout)
  } catch (error) {
    const { signal, stderr } = failed.parse(error)
    if (signal === 'SIGKILL') return null
    throw new Error(`${JSON.stringify(order)}: ${stderr}`)
  }
}
