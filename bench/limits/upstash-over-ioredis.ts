import { createHash } from 'node:crypto'
import type { Ratelimit } from '@upstash/ratelimit'
import type { Redis } from 'ioredis'

type UpstashRedis = ConstructorParameters<typeof Ratelimit>[0]['redis']

/** A flag that Upstash's servers know, and Redis refuses. */
const FLAG = /^#!lua flags=allow-key-locking\n/

/** What @upstash/ratelimit calls of its client, over a connection to a Redis of one's own instead of HTTP. Its scripts are
 *  sent without the flag in their first line, and so have other names there. */
export function upstashOverIoredis(client: Redis): UpstashRedis {
  const nameThere = new Map<string, string>()
  const redis = {
    // The caller says of what type the reply is, as of its own client: its scripts reply with integers, numbers in both.
    evalsha: <Args extends unknown[], Reply>(sha: string, keys: string[], args: Args) =>
      client.evalsha(nameThere.get(sha) ?? sha, keys.length, ...keys, ...args.map(String)) as Promise<Reply>,
    /** After NOSCRIPT, so at the first call of each script. */
    eval: (script: string, keys: string[], args: unknown[]) => {
      const text = script.replace(FLAG, '')
      nameThere.set(sha1(script), sha1(text))
      return client.eval(text, keys.length, ...keys, ...args.map(String))
    },
    // Of limits that change while it runs, which none of these have.
    get: () => Promise.reject(new Error('no limit changes')),
    set: () => Promise.reject(new Error('no limit changes')),
  }
  return redis
}

function sha1(text: string): string {
  return createHash('sha1').update(text).digest('hex')
}
