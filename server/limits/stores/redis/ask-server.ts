import type { Redis } from 'ioredis'
import { greet } from './greet.ts'
import type { RedisAddress } from './redis-address.ts'
import { createClient, strictOptions } from './redis-client.ts'
import { answerProblem, connectionProblem, RedisProblem } from './redis-problem.ts'

const ANSWER_MS = 2_000

/** Connects to a server once, and returns what `ask` returns; 'cluster' if the server only says that another node of its Cluster
 *  has the key. Throws RedisProblem. */
export async function askServer<T>(address: RedisAddress, ask: (client: Redis) => Promise<T>): Promise<T | 'cluster'> {
  await greet(address)
  const client = createClient(address.url, {
    ...strictOptions(ANSWER_MS),
    commandTimeout: ANSWER_MS,
    lazyConnect: true,
    retryStrategy: () => null,
  })
  // Of a connection that is lost at once, only this event has the cause.
  const errors: Error[] = []
  client.on('error', (error) => errors.push(error))
  try {
    await client.connect()
    if (errors[0]) throw errors[0]
    return await ask(client)
  } catch (error) {
    if (error instanceof RedisProblem) throw error
    // With a wrong password the choice of a database fails as well, for want of one, and is heard of first.
    const heard = errors.find(({ message }) => !message.startsWith('NOAUTH')) ?? errors[0]
    const cause = heard ?? (error instanceof Error ? error : new Error(String(error)))
    const db = client.options.db ?? 0
    const problem = 'command' in cause ? answerProblem({ ...address, db }, cause) : connectionProblem(address, cause)
    if (problem) throw problem
    return 'cluster'
  } finally {
    client.disconnect()
  }
}

/** Returns what one of several servers has answered. One is enough, unless another has a problem that does not pass. */
export async function anyWorking<T>(answers: readonly Promise<T>[]): Promise<T> {
  const results = await Promise.allSettled(answers)
  const problems = results.flatMap((result): unknown[] => (result.status === 'rejected' ? [result.reason] : []))
  const lasting = problems.find((problem) => !(problem instanceof RedisProblem && problem.mayPass))
  const working = results.find((result) => result.status === 'fulfilled')
  if (lasting !== undefined || !working) throw lasting ?? problems[0]
  return working.value
}
