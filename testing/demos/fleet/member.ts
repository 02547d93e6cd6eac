import { type SluiceServer, startSluiceServer } from '../../sluice/sluice-server.ts'
import { Spans } from './spans.ts'

/** A place of the fleet: one process after the other, on one port and one folder. */
export interface Member extends AsyncDisposable {
  readonly port: string
  readonly dataDir: string
  /** Of the process that runs, or that ran last. */
  readonly pid: number
  readonly isRunning: boolean
  /** How often its processes have begun to count limits for themselves, because Redis failed. */
  readonly outages: number
  readonly starts: Spans
  /** Whether its process does so now. */
  readonly isDegraded: boolean
  /** How often a process of it ended by itself. */
  readonly crashes: number
  readonly logs: readonly string[]
  start(): Promise<void>
  /** Lets requests end (SIGTERM). */
  stop(): Promise<void>
  kill(): Promise<void>
  signal(signal: 'SIGSTOP' | 'SIGCONT' | 'SIGUSR2'): void
}

interface Place {
  readonly port: string
  readonly dataDir: string
  readonly env: Readonly<Record<string, string>>
}

export async function startMember({ port, dataDir, env }: Place): Promise<Member> {
  const starts = new Spans()
  const start = () => starts.during(() => startSluiceServer({ dataDir, isMeasured: true, env: { ...env, PORT: port } }))
  const servers = [await start()]
  let isRunning = true
  const allLogs = () => servers.flatMap(({ logs }) => logs)
  const current = () => servers.at(-1) as SluiceServer
  const end = async (how: 'stop' | 'kill') => {
    isRunning = false
    await current()[how]()
  }
  return {
    port,
    dataDir,
    starts,
    get pid() {
      return current().pid
    },
    get isRunning() {
      return isRunning
    },
    get outages() {
      return count(allLogs(), '"type":"degraded"')
    },
    get isDegraded() {
      const { logs } = current()
      return isRunning && count(logs, '"type":"degraded"') > count(logs, '"type":"recovered"')
    },
    get crashes() {
      return count(allLogs(), '"level":"fatal"')
    },
    get logs() {
      return allLogs()
    },
    start: async () => {
      servers.push(await start())
      isRunning = true
    },
    stop: () => end('stop'),
    kill: () => end('kill'),
    signal: (signal) => void process.kill(current().pid, signal),
    [Symbol.asyncDispose]: async () => {
      if (!isRunning) return
      process.kill(current().pid, 'SIGCONT')
      await end('stop')
    },
  }
}

const count = (logs: readonly string[], part: string): number => logs.filter((line) => line.includes(part)).length
