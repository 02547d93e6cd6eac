import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import type { RedisAddress } from './redis-address.ts'
import { connectionProblem, RedisProblem } from './redis-problem.ts'
import { hostAndPort, parseSocketUrl } from './redis-url.ts'

const ANSWER_MS = 2_000

/** Connects to a server and sends PING, to find out what listens there: the client ends the process when it meets
 *  something else than Redis. Throws RedisProblem, which says so where the other of TLS and plain text would work. */
export async function greet(address: RedisAddress): Promise<void> {
  const { url, name, plain, secure } = address
  const isTls = url.startsWith('rediss:')
  const greeting = await ping(url, { isTls }).catch((error: Error) => error)
  if (typeof greeting === 'string' && isRedis(greeting)) return
  const other = await ping(url, { isTls: !isTls, isAnyone: true }).catch(() => '')
  if (isRedis(other)) {
    throw isTls
      ? new RedisProblem(`${name} does not support TLS. Use ${plain}.`)
      : new RedisProblem(`${name} accepts only TLS. Use ${secure}.`)
  }
  if (greeting instanceof Error) throw connectionProblem(address, greeting)
  throw new RedisProblem(`the server at ${name} does not speak Redis. Correct the address.`)
}

/** Redis answers PONG, or with an error where it wants a password first. */
const isRedis = (greeting: string): boolean => /^[+-][A-Z]/.test(greeting)

/** Returns the beginning of the answer, or '' if the connection is closed without one. With `isAnyone` any certificate
 *  will do. */
function ping(url: string, { isTls, isAnyone = false }: { isTls: boolean; isAnyone?: boolean }): Promise<string> {
  const path = parseSocketUrl(url)?.path
  const at = path === undefined ? hostAndPort(new URL(url)) : { path }
  return new Promise<string>((resolve, reject) => {
    const socket = isTls ? connectTls({ ...at, rejectUnauthorized: !isAnyone }) : connect(at)
    socket.setTimeout(ANSWER_MS, () => socket.destroy(new Error(`no answer within ${ANSWER_MS / 1_000} s`)))
    socket.once(isTls ? 'secureConnect' : 'connect', () => socket.write('PING\r\n'))
    socket.once('data', (chunk) => {
      resolve(chunk.toString('latin1'))
      socket.destroy()
    })
    socket.once('error', reject)
    socket.once('close', () => resolve(''))
  })
}
