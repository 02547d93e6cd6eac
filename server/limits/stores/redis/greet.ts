import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { connectionProblem, RedisProblem } from './redis-problem.ts'

const ANSWER_MS = 2_000

/** Connects to the node at `url` and sends PING, to find out what listens there: the client ends the process when it meets
 *  something else than Redis. Throws RedisProblem, which says so where the other of TLS and plain text would work. */
export async function greet(url: URL): Promise<void> {
  const isTls = url.protocol === 'rediss:'
  const { host } = url
  const greeting = await ping(url, { isTls }).catch((error: Error) => error)
  if (typeof greeting === 'string' && isRedis(greeting)) return
  const other = await ping(url, { isTls: !isTls, isAnyone: true }).catch(() => '')
  if (isRedis(other)) {
    throw isTls
      ? new RedisProblem(`${host} does not support TLS. Use redis://${host}.`)
      : new RedisProblem(`${host} accepts only TLS. Use rediss://${host}.`)
  }
  if (greeting instanceof Error) throw connectionProblem(url, greeting)
  throw new RedisProblem(`the server at ${host} does not speak Redis. Correct the address.`)
}

/** Redis answers PONG, or with an error where it wants a password first. */
const isRedis = (greeting: string): boolean => /^[+-][A-Z]/.test(greeting)

/** Returns the beginning of the answer, or '' if the connection is closed without one. With `isAnyone` any certificate
 *  will do. */
function ping(url: URL, { isTls, isAnyone = false }: { isTls: boolean; isAnyone?: boolean }): Promise<string> {
  const at = { host: url.hostname.replace(/^\[|\]$/g, ''), port: Number(url.port || 6379) }
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
