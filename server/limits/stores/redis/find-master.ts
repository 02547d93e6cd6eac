import { anyWorking, askServer } from './ask-server.ts'
import { addressOfSentinel, type RedisAddress } from './redis-address.ts'
import { RedisProblem } from './redis-problem.ts'
import type { SentinelUrl } from './redis-url.ts'

/** Asks the Sentinels for the master, as the client will. Throws RedisProblem. */
export function findMaster(url: SentinelUrl): Promise<{ readonly host: string; readonly port: number }> {
  return anyWorking(url.sentinels.map((at) => askSentinel(addressOfSentinel(url, at), url.name)))
}

async function askSentinel(sentinel: RedisAddress, name: string): Promise<{ host: string; port: number }> {
  const answer: unknown = await askServer(sentinel, (client) =>
    client.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', name).catch((error: Error) => {
      if (!/unknown command/i.test(error.message)) throw error
      throw new RedisProblem(
        `${sentinel.name} is no Sentinel. Use the addresses of the Sentinels, or redis:// for its own.`,
      )
    }),
  )
  if (!Array.isArray(answer))
    throw new RedisProblem(`${sentinel.name} knows no master ${name}. Correct the name after the addresses.`)
  const [host, port] = answer
  return { host: String(host), port: Number(port) }
}
