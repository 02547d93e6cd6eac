import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Redis, type RedisOptions } from 'ioredis'
import { type Contender, contender } from './contender.ts'
import { userIds } from './subjects.ts'

const SCRIPT = 'return { 1, 2 }'
const SHA = createHash('sha1').update(SCRIPT).digest('hex')

/** A connection as ioredis makes it unless told otherwise: for what is measured beside the limiter, which has its own. */
export async function plainConnection(url: string, options: RedisOptions = {}): Promise<Redis & Disposable> {
  const client = new Redis(url, options)
  await once(client, 'ready')
  return Object.assign(client, { [Symbol.dispose]: () => client.disconnect() })
}

/** What everything over Redis is measured by: an EVALSHA of a script that returns two numbers, and its round trip. */
export async function bareEvalsha(client: Redis, name = 'bare EVALSHA'): Promise<Contender> {
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
export function scriptCalls(client: Redis): () => Promise<number> {
  return async () => {
    const stats = await client.info('commandstats')
    return [...stats.matchAll(/^cmdstat_(?:evalsha|eval|fcall):calls=(\d+)/gm)].reduce(
      (sum, [, n]) => sum + Number(n),
      0,
    )
  }
}
