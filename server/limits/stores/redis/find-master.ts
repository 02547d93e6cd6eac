import { anyWorking, askServer } from './ask-server.ts'
import { addressOfSentinel, type RedisAddress } from './redis-address.ts'
import { RedisProblem } from './redis-problem.ts'
import type { SentinelUrl } from './redis-url.ts'

/** Asks the Sentinels for the master, as the client will. Throws RedisProblem. */
export function findMaster(url: SentinelUrl): Promise<{ readonly host: string; readonly port: number }> {
  return anyWorking(url.sentinels.map((at) => askSentinel(addressOfSentinel(url, at), url.name)))
}

async function askSentinel(sentinel: RedisAddress, name: string): Promise<{ host: string; port: number }> {
  const answer: unknown = await askServer(sentinel, async (client) => {
    try {
      const master = await client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name)
      // The client asks for the other Sentinels as well, and needs the right to.
      if (master !== null) await client.call('SENTINEL', 'SENTINELS', name)
      return master
    } catch (error) {
      throw error instanceof Error ? (sentinelProblem(sentinel, error) ?? error) : error
    }
  })
  if (!Array.isArray(answer))
    throw new RedisProblem(`${sentinel.name} knows no master ${name}. Correct the name after the addresses.`)
  const [host, port] = answer
  return { host: String(host), port: Number(port) }
}

/** What only a Sentinel answers, or only what is none. */
function sentinelProblem({ name }: RedisAddress, cause: Error): RedisProblem | null {
  if (/unknown command/i.test(cause.message))
    return new RedisProblem(`${name} is no Sentinel. Use the addresses of the Sentinels, or redis:// for its own.`, {
      cause,
    })
  if (cause.message.startsWith('NOPERM'))
    return new RedisProblem(`${name} does not answer its user (${cause.message}). Grant it +sentinel.`, { cause })
  return null
}
