import { setTimeout as wait } from 'node:timers/promises'
import type { SluiceServer } from '../sluice/sluice-server.ts'

const TRIES = 5

/**
 * Returns the result of `attempt`, whose decisions Redis has made. On a machine so busy that Redis was late, a process counts for
 * itself for a while: then it is attempted again.
 */
export async function countedByRedis<T>(servers: readonly SluiceServer[], attempt: () => Promise<T>): Promise<T> {
  const counted = (type: 'degraded' | 'recovered') =>
    servers.flatMap(({ logs }) => logs).filter((line) => line.includes(`"type":"${type}"`)).length
  for (let tries = 1; ; tries += 1) {
    while (counted('recovered') < counted('degraded')) await wait(50)
    const before = counted('degraded')
    const result = await attempt()
    if (counted('degraded') === before || tries === TRIES) return result
  }
}
