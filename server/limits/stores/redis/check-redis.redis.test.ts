import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '#testing/servers/free-port.ts'
import { startRedisCluster } from '#testing/servers/redis-cluster.ts'
import { type RedisServer, startRedisServer } from '#testing/servers/redis-server.ts'
import { selfSigned } from '#testing/servers/self-signed.ts'
import { createLimiter } from '../../limiter.ts'
import { compileRuleSets } from '../../rules/compile.ts'
import { checkRedis } from './check-redis.ts'

const running = new AsyncDisposableStack()
let redis: RedisServer
let secured: RedisServer

beforeAll(async () => {
  redis = running.use(await startRedisServer())
  secured = running.use(await startRedisServer())
  const admin = new Redis(secured.url)
  await admin.acl('SETUSER', 'reader', 'on', '>pw', '+@read', '+ping', '+info', '~*')
  await admin.config('SET', 'requirepass', 'secret')
  admin.disconnect()
})
afterAll(() => running.disposeAsync())

/** Starts a server of another kind until the end of the tests, and returns its host and port. */
async function listen(server: Server): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  running.defer(() => void server.close())
  const address: AddressInfo | string | null = server.address()
  return `127.0.0.1:${typeof address === 'object' ? address?.port : ''}`
}

/** Returns the sentence with which the check ends, with HOST for the host; null if there is none. */
async function sentenceFor(url: string, patienceMs = 0): Promise<string | null> {
  const failure = await checkRedis(url, { patienceMs }).then(
    () => null,
    (error: unknown) => error,
  )
  return failure instanceof Error ? failure.message.replaceAll(new URL(url.split(',')[0] ?? '').host, 'HOST') : null
}

const signedIn = (url: string, credentials: string, path = '') => `${url.replace('//', `//${credentials}@`)}${path}`

test('accepts a working Redis, with a password and a database too', async () => {
  expect(await checkRedis(redis.url)).toEqual({ isCluster: false })
  expect(await checkRedis(signedIn(secured.url, ':secret', '/3'))).toEqual({ isCluster: false })
})

test('a Redis at a Unix socket decides, and what cannot work is named', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-socket-'))
  running.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'redis.sock')
  await using local = await startRedisServer(['--unixsocket', path, '--requirepass', 'a+b'])
  const redisUrl = `unix://:a+b@${path}?db=3`
  expect(await checkRedis(redisUrl)).toEqual({ isCluster: false })
  expect(await checkRedis(`unix://${path}?password=a+b`)).toEqual({ isCluster: false })
  const sentence = (url: string) => checkRedis(url, { patienceMs: 0 }).catch(({ message }: Error) => message)
  expect(await sentence(`unix://${path}`)).toBe(`${path} asks for a password. Write it as unix://:password@${path}.`)
  expect(await sentence(`unix://:wrong@${path}?db=3`)).toBe(`${path} refuses the user or the password. Correct them.`)
  expect(await sentence(`unix://${path}x`)).toBe(`there is no socket ${path}x. Correct the path, or start Redis.`)
  const limiter = createLimiter({ redisUrl, deadlineMs: 20_000 })
  const sets = compileRuleSets('read', [{ by: 'ip', rules: [{ limit: 1, window: '1h' }] }])
  const take = () => limiter.take(sets, { address: '192.0.2.1', userId: null, shared: false })
  expect(await take()).toMatchObject({ allowed: true, decidedBy: 'store' })
  const admin = new Redis({ path, password: 'a+b', db: 3 })
  expect(await admin.keys('*read*')).toHaveLength(1)
  admin.disconnect()
  await limiter.close()
  await local.kill()
})

describe('names what cannot work, without waiting:', () => {
  test.each([
    ['no password', '', '', 'HOST asks for a password. Write it as redis://:password@HOST.'],
    ['a wrong password', ':wrong@', '', 'HOST refuses the user or the password. Correct them.'],
    ['a database that is not there', ':secret@', '/99', 'HOST has no database 99. Remove the number, or correct it.'],
  ])('%s', async (_, credentials, path, sentence) => {
    expect(await sentenceFor(`redis://${credentials}${secured.host}:${secured.port}${path}`, 30_000)).toBe(sentence)
  })

  test('a user without the right to write', async () => {
    expect(await sentenceFor(signedIn(secured.url, 'reader:pw'), 30_000)).toMatch(
      /^the user may not do what the limiter needs \(NOPERM .*\)\. Grant it \+@all ~RATE:\* &RATE:FLEET:\*\.$/,
    )
  })

  test('TLS to a port without it', async () => {
    expect(await sentenceFor(redis.url.replace('redis:', 'rediss:'), 30_000)).toBe(
      'HOST does not support TLS. Use redis://HOST.',
    )
  })

  test('plain text to a port with TLS, and a certificate that is not trusted', async () => {
    const host = await listen(
      createTlsServer(selfSigned, (socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.end('-NOAUTH Authentication required.\r\n'))
      }),
    )
    expect(await sentenceFor(`redis://${host}`, 30_000)).toBe('HOST accepts only TLS. Use rediss://HOST.')
    expect(await sentenceFor(`rediss://${host}`, 30_000)).toBe(
      'the certificate of HOST is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Add its issuer to NODE_EXTRA_CA_CERTS, or renew it.',
    )
  })

  test('a server that is no Redis', async () => {
    const sentence = 'the server at HOST does not speak Redis. Correct the address.'
    const web = await listen(createHttpServer((_req, res) => res.end('hello')))
    expect(await sentenceFor(`redis://${web}`, 30_000)).toBe(sentence)
    const silent = await listen(createServer((socket) => socket.once('data', () => socket.end()).on('error', () => {})))
    expect(await sentenceFor(`redis://${silent}`, 30_000)).toBe(sentence)
  })

  test("a Sentinel's port", async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-sentinel-'))
    running.defer(() => rm(folder, { recursive: true, force: true }))
    const file = join(folder, 'sentinel.conf')
    await using replica = await startRedisServer(['--replicaof', redis.host, String(redis.port)])
    await using cluster = await startRedisServer([
      '--cluster-enabled',
      'yes',
      '--cluster-port',
      String(await freePort()),
    ])
    const monitor = (name: string, { host, port }: RedisServer) => `sentinel monitor ${name} ${host} ${port} 1\n`
    await writeFile(file, monitor('main', redis) + monitor('demoted', replica) + monitor('node', cluster))
    await using sentinel = await startRedisServer([], {
      name: 'Sentinel',
      command: ['redis-server', file, '--sentinel'],
    })
    expect(await sentenceFor(sentinel.url, 30_000)).toBe(
      'HOST is a Sentinel, which stores nothing. Use redis+sentinel://HOST/ and the name of its master.',
    )
    const admin = new Redis(sentinel.url)
    await admin.acl('SETUSER', 'blind', 'on', '>pw', '+ping')
    admin.disconnect()
    const master = (name: string) =>
      checkRedis(`redis+sentinel://${sentinel.host}:${sentinel.port}/${name}`, { patienceMs: 0 }).catch(
        ({ message }: Error) => message.replaceAll(/\d+\.\d+\.\d+\.\d+:\d+/g, 'HOST'),
      )
    expect(await master('main')).toEqual({ isCluster: false })
    expect(await master('main?sentinel_username=blind&sentinel_password=pw')).toMatch(
      /^the Sentinel at HOST does not answer its user \(NOPERM .*\)\. Grant it \+sentinel\.$/,
    )
    expect(await sentenceFor(redis.url.replace('redis:', 'redis+sentinel:').concat('/main'), 30_000)).toBe(
      'the Sentinel at HOST is no Sentinel. Use the addresses of the Sentinels, or redis:// for its own.',
    )
    expect(await master('demoted')).toBe(
      'the master demoted at HOST is a replica by now. The Sentinels must agree first.',
    )
    expect(await master('node')).toBe(
      'the master node at HOST is a node of a Cluster. Use the addresses of its nodes: redis://host,redis://host.',
    )
  })

  test('a replica', async () => {
    await using replica = await startRedisServer(['--replicaof', redis.host, String(redis.port)])
    expect(await sentenceFor(replica.url, 30_000)).toBe('HOST is a replica. Use the address of its master.')
  })

  test('several servers that are no Cluster', async () => {
    expect(await sentenceFor(`${redis.url},${redis.url}`, 30_000)).toBe(
      'several addresses are nodes of one Cluster, but HOST is no node of any. Keep one address.',
    )
  })
})

describe('waits for what may pass, then ends with', () => {
  test.each([
    ['nothing that listens', 'redis://127.0.0.1:1', 'nothing listens at HOST. Correct it, or start Redis.'],
    ['a host that is unknown', 'redis://redis.invalid', 'there is no host HOST. Correct it.'],
  ])('%s', async (_, url, sentence) => {
    expect(await sentenceFor(url)).toBe(sentence)
  })

  test('a Redis that loads its data', async () => {
    const loading = '-LOADING Redis is loading the dataset in memory\r\n'
    const host = await listen(
      createServer((socket) => socket.on('data', () => socket.write(loading)).on('error', () => {})),
    )
    expect(await sentenceFor(`redis://${host}`)).toBe('HOST answers: LOADING Redis is loading the dataset in memory')
  })

  test('a Redis that starts in time, which is no failure', async () => {
    await using late = await startRedisServer()
    await late.kill()
    const waits: string[] = []
    const onWait = (message: string) => {
      waits.push(message)
      void late.restart()
    }
    expect(await checkRedis(late.url, { onWait })).toEqual({ isCluster: false })
    expect(waits).toEqual([`nothing listens at ${late.host}:${late.port}. Correct it, or start Redis.`])
  })
})

test("uses a Cluster's single address as that of a Cluster", async () => {
  await using cluster = await startRedisCluster()
  const redisUrl = cluster.nodes[0]?.url ?? ''
  expect(await checkRedis(redisUrl)).toEqual({ isCluster: true })
  expect(await checkRedis(cluster.nodes.map(({ url }) => url).join(','))).toEqual({ isCluster: true })
  expect(await sentenceFor(`${redisUrl}/2`, 30_000)).toBe('HOST has no database 2. Remove the number, or correct it.')
  const limiter = createLimiter({ redisUrl, isCluster: true, deadlineMs: 20_000 })
  const sets = compileRuleSets('read', [{ by: 'ip', rules: [{ limit: 1, window: '1h' }] }])
  // Keys of all nodes.
  for (let i = 0; i < 10; i += 1) {
    const decision = await limiter.take(sets, { address: `192.0.2.${i}`, userId: null, shared: false })
    expect([decision.allowed, decision.decidedBy]).toEqual([true, 'store'])
  }
  await limiter.close()
})
