import type { Cluster, Redis } from 'ioredis'
import type { Operation } from '../../store.ts'
import { keysOf, tripArguments } from './arguments.ts'
import type { LuaScript } from './lua-script.ts'

/** Calls the script for the operations of one trip. A restart or a failover of Redis forgets scripts, so NOSCRIPT is
 *  retried with the text. Nothing else is retried, because any other error may come after the charge was counted. With
 *  callbacks: the promises of async functions would make a decision that is sent alone a twentieth slower. */
export function callScript(
  client: Redis | Cluster,
  script: LuaScript,
  operations: readonly Operation[],
  succeed: (reply: unknown) => void,
  fail: (error: Error) => void,
): void {
  const failed = (error: unknown) => fail(errorOf(error))
  try {
    const keys = keysOf(operations)
    const args = [script.sha, keys.length, ...keys, ...tripArguments(operations)]
    client.callBuffer('evalsha', args).then(succeed, (error: unknown) => {
      if (!(error instanceof Error && error.message.startsWith('NOSCRIPT'))) failed(error)
      else client.callBuffer('eval', args.with(0, script.text)).then(succeed, failed)
    })
  } catch (error) {
    failed(error)
  }
}

/** The client's messages for a connection that broke or is missing, which name options of its own. */
const LOST = /^(?:Reached the max retries per request limit|Stream isn't writeable|Connection is closed)/

function errorOf(reason: unknown): Error {
  const error = reason instanceof Error ? reason : new Error(String(reason))
  return LOST.test(error.message) ? new Error('There is no connection to Redis', { cause: error }) : error
}
