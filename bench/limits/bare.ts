import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Redis, type RedisOptions } from 'ioredis'
import { type Contender, contender } from './contender.ts'
import type { Meter } from './rounds.ts'
import { userIds } from './subjects.ts'

/** By this name it stands first in its tables. */
export const BARE = 'bare EVALSHA'

const SCRIPT = 'return { 1, 2 }'
const SHA = createHash('sha1').update(SCRIPT).digest('hex')

/** A connection as ioredis makes it unless told otherwise: for what is measured beside the limiter, which has its own. */
export async function plainConnection(url: string, options: RedisOptions = {}): Promise<Redis & Disposable> {
  const client = new Redis(url, options)
  await once(client, 'ready')
  return Object.assign(client, { [Symbol.dispose]: () => client.disconnect() })
}

/** What everything over Redis is measured by: an EVALSHA of a script that returns two numbers, and its round trip. */
export async function bareEvalsha(client: Redis, name = BARE): Promise<Contender> {
  await client.script('LOAD', SCRIPT)
  const keys = userIds.map((id) => `bare:{${id}}`)
  return contender({
    name,
    call: (subject) => client.evalsha(SHA, 1, keys[subject] ?? '', 1, 2),
    isAllowed: (reply) => {
      if (!Array.isArray(reply) || reply[0] !== 1 || reply[1] !== 2)
        throw new Error('the bare script gave another reply')
      return true
    },
  })
}

/** Counts the script calls that a server has had, those of commands inside scripts apart. */
export function scriptCalls(client: Redis): Meter {
  return async () => [scriptCallsIn(await client.info('commandstats'))]
}

/** The same, then microseconds of processor time: of whoever makes the calls, all threads together, which is this process
 *  unless told otherwise, and of the server. */
export function scriptCallsAndTime(client: Redis, callersTime: () => number = ownTime): Meter {
  return async () => {
    const info = await client.info('everything')
    const [serverUser, serverSystem] = ['user', 'sys'].map((kind) =>
      Number(new RegExp(`^used_cpu_${kind}:([\\d.]+)`, 'm').exec(info)?.[1]),
    )
    return [scriptCallsIn(info), callersTime(), 1e6 * ((serverUser ?? 0) + (serverSystem ?? 0))]
  }
}

function ownTime(): number {
  const { user, system } = process.cpuUsage()
  return user + system
}

/** Bytes that a server has taken of memory. */
export async function usedMemory(client: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
}

function scriptCallsIn(info: string): number {
  const calls = info.matchAll(/^cmdstat_(?:evalsha|eval|fcall):calls=(\d+)/gm)
  return [...calls].reduce((sum, [, count]) => sum + Number(count), 0)
}
