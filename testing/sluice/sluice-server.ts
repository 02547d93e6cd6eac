import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { freePort } from '../servers/free-port.ts'
import { spawnKept } from '../servers/kept-process.ts'

export interface SluiceServer extends AsyncDisposable {
  /** `http://127.0.0.1:<port>`, or the value of SLUICE_ORIGIN. */
  readonly origin: string
  /** The port that it listens on, whatever its origin. */
  readonly port: string
  readonly dataDir: string
  readonly pid: number
  /** The server's output so far, line by line, of both streams: each is JSON. */
  readonly logs: readonly string[]
  /** The messages of these lines. */
  readonly messages: readonly string[]
  /** Drains the server (SIGTERM). Returns its exit code; null if a signal ended it. */
  stop(): Promise<number | null>
  /** The same with two signals at once, as npm forwards a signal to its process group. */
  stopTwice(): Promise<number | null>
  /** Ends it like a crash (SIGKILL). A test that passed `dataDir` can read what it left. */
  kill(): Promise<void>
}

interface SluiceOptions {
  /** Settings that override the test's defaults: a free port of 127.0.0.1 and a separate data folder. */
  readonly env?: Record<string, string>
  /** A folder of the caller, which is kept: to start a second server on the data of a first one. */
  readonly dataDir?: string
  /** The folder of the version that is started; this one by default. */
  readonly program?: string
  /** Its speed is measured, so V8 may take its time to optimise. */
  readonly isMeasured?: boolean
}

const startDeadlineMs = 120_000

/** Flags of Node. Optimising the embedded database takes a third of the CPU of a start. That pays off later, but
 *  most tests end before. */
const START = ['--disable-warning=ExperimentalWarning', '--max-semi-space-size=16']
const BRIEF = [...START, '--liftoff-only']

/** Starts Sluice as `npm start` does, in a separate process without the machine's settings, and waits until it is ready. Throws
 *  with its log if it ends before. */
export async function startSluiceServer(options: SluiceOptions = {}): Promise<SluiceServer> {
  const ownFolder = options.dataDir === undefined
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'sluice-data-')))
  const port = options.env?.PORT ?? String(await freePort())
  const address = `http://127.0.0.1:${port}`
  const { PATH, HOME, NODE_COMPILE_CACHE } = process.env
  const child = spawnKept({
    command: [
      process.execPath,
      ...(options.isMeasured ? START : BRIEF),
      join(options.program ?? join(import.meta.dirname, '../..'), 'server/main.ts'),
    ],
    env: {
      ...{ NODE_ENV: 'production', PATH, HOME, NODE_COMPILE_CACHE, PORT: port, HOST: '127.0.0.1' },
      ...{ SLUICE_DATA: dataDir, SLUICE_ORIGIN: address, ...options.env },
    },
    stopSignal: 'TERM',
    ...(ownFolder && { folder: dataDir }),
  })
  const exited = once(child, 'exit')
  const logs: string[] = []
  for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', (line) => logs.push(line))

  const end = async (...signals: ('SIGTERM' | 'SIGINT' | 'SIGKILL')[]): Promise<number | null> => {
    for (const signal of signals) child.kill(signal)
    await exited
    return child.exitCode
  }
  const dispose = async (): Promise<void> => {
    await end('SIGTERM')
    if (ownFolder) await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await untilReady(`${address}/readyz`, () => child.exitCode === null && child.signalCode === null)
  } catch (error) {
    await dispose()
    throw new Error(`Sluice did not start:\n${logs.map(readMessage).join('\n')}`, { cause: error })
  }
  return {
    origin: options.env?.SLUICE_ORIGIN ?? address,
    port,
    dataDir,
    pid: child.pid ?? 0,
    logs,
    get messages() {
      return logs.map(readMessage)
    },
    stop: () => end('SIGTERM'),
    // The kernel may merge two equal signals into one.
    stopTwice: () => end('SIGTERM', 'SIGINT'),
    kill: async () => void (await end('SIGKILL')),
    [Symbol.asyncDispose]: dispose,
  }
}

/** What is not JSON, such as the end of a crash, is returned as it is. */
function readMessage(line: string): string {
  try {
    return String(JSON.parse(line).msg)
  } catch {
    return line
  }
}

async function untilReady(url: string, runs: () => boolean): Promise<void> {
  const deadline = performance.now() + startDeadlineMs
  while (runs() && performance.now() < deadline) {
    const status = await fetch(url).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.status
      },
      () => null,
    )
    if (status === 200) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(runs() ? `${url} was not 200 within ${startDeadlineMs / 1000} s` : 'the process ended')
}
