import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { spawnKept } from '../../testing/servers/kept-process.ts'

export interface ChildServer extends AsyncDisposable {
  readonly port: number
}

/** Starts a file of this folder in a separate process, so that it shares no thread with its clients. Its first line of output is
 *  its port. */
export async function startChild(file: string, ...args: readonly string[]): Promise<ChildServer> {
  const path = join(import.meta.dirname, file)
  const command = [process.execPath, '--disable-warning=ExperimentalWarning', path, ...args] as const
  const child = spawnKept({ command, stopSignal: 'TERM' })
  child.stderr.pipe(process.stderr)
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(lines, 'line'), ended.then(() => [])])
  const port = Number(line)
  if (!Number.isSafeInteger(port)) throw new Error(`${file} did not start`)
  return {
    port,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
