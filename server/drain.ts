import type { Server } from 'node:http'
import { setTimeout as wait } from 'node:timers/promises'
import type { Connections } from './http/connections.ts'

interface Drain {
  begin(): void
  end(): Promise<void>
}

/** npm forwards signals that its whole process group has already received, from Ctrl-C or systemd: a repetition within this
 *  time is the same signal. */
const SAME_SIGNAL_MS = 500

/** The deadline for closing once no request is under way: a silent database would be waited for forever. */
const END_MS = 8_000

/** Returns whether `end` succeeded in time; if not, logs the reason. */
async function endInTime(end: () => Promise<void>): Promise<boolean> {
  const late = wait(END_MS).then(() => Promise.reject(new Error(`closing took longer than ${END_MS / 1_000} s`)))
  try {
    await Promise.race([end(), late])
    return true
  } catch (error) {
    console.error('Sluice did not shut down cleanly; the data is as after a crash.', error)
    return false
  }
}

/** On the first signal, stops listening and waits for requests under way; on the second, or at the deadline, exits at once. */
export function drainOnSignal(server: Server, connections: Connections, drainMs: number, { begin, end }: Drain): void {
  let drainingSince: number | null = null
  const drain = async () => {
    if (drainingSince !== null) {
      if (performance.now() - drainingSince > SAME_SIGNAL_MS) process.exit(1)
      return
    }
    drainingSince = performance.now()
    const deadline = setTimeout(() => server.closeAllConnections(), drainMs)
    const closed = connections.drain()
    begin()
    await closed
    clearTimeout(deadline)
    process.exit((await endInTime(end)) ? 0 : 1)
  }
  process.on('SIGTERM', drain)
  process.on('SIGINT', drain)
}
