import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const started = z.object({ origin: z.url(), cookie: z.string() })
const report = z.object({ cpuMs: z.number() })

/** A server of the benchmark, as a process on one core, of the version in a folder. */
export interface Served extends AsyncDisposable {
  readonly origin: string
  readonly cookie: string
  /** The milliseconds of processor time used so far; with `made`, once all variants are made. */
  cpuMs(when: 'now' | 'made'): Promise<number>
}

export async function serve(root: string, core: string): Promise<Served> {
  const program = join(root, 'bench', 'upload', 'serve.ts')
  const child = spawn('taskset', ['-c', core, process.execPath, program], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  const read = async () => JSON.parse((await lines.next()).value ?? 'null')
  const { origin, cookie } = started.parse(await read())
  return {
    origin,
    cookie,
    async cpuMs(when) {
      child.stdin.write(`${when}\n`)
      return report.parse(await read()).cpuMs
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      if (child.exitCode === null) await once(child, 'exit')
    },
  }
}
