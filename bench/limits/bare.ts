import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Redis, type RedisOptions } from 'ioredis'
import { type Contender, contender } from './contender.ts'
import type { Meter } from './rounds.ts'
import { userIds } from './subjects.ts'

/** The name under which it is first in its tables. */
export const BARE = 'bare EVALSHA'

const SCRIPT = 'return { 1, 2 }'
const SHA = createHash('sha1').update(SCRIPT).digest('hex')

/** A connection with ioredis' defaults, for contenders other than the limiter, which has its own connection. */
export async function plainConnection(url: string, options: RedisOptions = {}): Promise<Redis & Disposable> {
  const client = new Redis(url, options)
  await once(client, 'ready')
  return Object.assign(client, { [Symbol.dispose]: () => client.disconnect() })
}

/** The baseline for everything over Redis: an EVALSHA of a script that returns two numbers, with its round trip. */
export async function bareEvalsha(client: Redis, name = BARE): Promise<Contender> {
  await client.script('LOAD', SCRIPT)
  const keys = userIds.map((id) => `bare:{${id}}`)
  return contender({
    name,
    call: (subject) => client.evalsha(SHA, 1, keys[subject] ?? '', 1, 2),
    isAllowed: (reply) => {
      if (!Array.isArray(reply) || reply[0] !== 1 || reply[1] !== 2)
        throw new Error('the bare script returned an unexpected reply')
      return true
    },
  })
}

/** Counts the script calls of a server, without the commands inside scripts. */
export function scriptCalls(client: Redis): Meter {
  return async () => [scriptCallsIn(await client.info('commandstats'))]
}

/** The same, plus CPU time in microseconds: of the caller, all threads together (by default this process), and of the server. */
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

/** A server's memory in bytes. */
export async function usedMemory(client: Redis): Promise<number> {
  return Number(/used_memory:(\d+)/.exec(await client.info('memory'))?.[1])
}

function scriptCallsIn(info: string): number {
  const calls = info.matchAll(/^cmdstat_(?:evalsha|eval|fcall):calls=(\d+)/gm)
  return [...calls].reduce((sum, [, count]) => sum + Number(count), 0)
}
