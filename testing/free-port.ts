import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * Where the ports of tests lie: below all that a system gives to whoever names none. One of those may be given to somebody
 * else between the moment in which it was found free and that in which a server listens on it, or while the server that
 * had it is away for a test; one of these is not.
 */
const FIRST = 11_000
/** Of each worker of the tests, so that no two find the same. */
const SHARE = 2_000
const SHARES = 10

const first = FIRST + (Number(process.env.VITEST_POOL_ID ?? 0) % SHARES) * SHARE
/** A worker's next process begins elsewhere: clients of the last one may still look for what it had. */
let next = process.pid

/** A port of 127.0.0.1 that nobody listens on, for servers that cannot choose one themselves. */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < SHARE; tried += 1) {
    const port = first + (next % SHARE)
    next += 1
    if (await isFree(port)) return port
  }
  throw new Error('no port could be had on 127.0.0.1')
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
