import { createHash } from 'node:crypto'
import type { Ratelimit } from '@upstash/ratelimit'
import type { Redis } from 'ioredis'

type UpstashRedis = ConstructorParameters<typeof Ratelimit>[0]['redis']

/** A flag that Upstash's servers support and Redis refuses. */
const FLAG = /^#!lua flags=allow-key-locking\n/

/** The client interface of @upstash/ratelimit over a connection to a local Redis instead of HTTP. Sends its scripts without the flag
 *  in their first line, so their hashes differ. */
export function upstashOverIoredis(client: Redis): UpstashRedis {
  const nameThere = new Map<string, string>()
  const redis = {
    // The caller states the type of the reply, as with its own client. Its scripts reply with integers, which are numbers in both.
    evalsha: <Args extends unknown[], Reply>(sha: string, keys: string[], args: Args) =>
      client.evalsha(nameThere.get(sha) ?? sha, keys.length, ...keys, ...args.map(String)) as Promise<Reply>,
    /** Called after NOSCRIPT, at the first call of each script. */
    eval: (script: string, keys: string[], args: unknown[]) => {
      const text = script.replace(FLAG, '')
      nameThere.set(sha1(script), sha1(text))
      return client.eval(text, keys.length, ...keys, ...args.map(String))
    },
    // Used only for limits that change at run time, which none of these have.
    get: () => Promise.reject(new Error('no limit changes')),
    set: () => Promise.reject(new Error('no limit changes')),
  }
  return redis
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
