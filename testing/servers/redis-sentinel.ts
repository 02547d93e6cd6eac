import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { Redis } from 'ioredis'
import { freePort } from './free-port.ts'
import { type RedisServer, startRedisServer } from './redis-server.ts'

/** A master and its replica, watched by three Sentinels. All have passwords. */
export interface RedisSentinel extends AsyncDisposable {
  /** Of database 2, as a setting. */
  readonly url: string
  /** The node that the first Sentinel names as the master. */
  master(): Promise<RedisServer>
  /** Connects to a node. */
  connect(node: RedisServer): Redis
  /** Kills the master as soon as the replica has all that it has. The Sentinels promote the replica only from then on. */
  killMaster(): Promise<void>
}

const NAME = 'main'
/** With everything that has to be encoded. */
const PASSWORD = 'a@b/c:d?%'
const SENTINEL_PASSWORD = 'of+the&sentinels'
const READY_WITHIN_MS = 60_000
/** Until the master is killed, so that no busy moment of the machine counts as a failure; and then. */
const DOWN_AFTER_MS = { usual: 60_000, killed: 500 }

export async function startRedisSentinel(): Promise<RedisSentinel> {
  await using started = new AsyncDisposableStack()
  const clients: Redis[] = []
  started.defer(() => {
    for (const client of clients) client.disconnect()
  })
  const connect = ({ host, port }: RedisServer, password = PASSWORD) => {
    const client = new Redis({ host, port, password })
    client.on('error', () => {})
    clients.push(client)
    return client
  }
  const auth = ['--requirepass', PASSWORD, '--masterauth', PASSWORD, '--repl-diskless-sync-delay', '0']
  const first = started.use(await startRedisServer(auth))
  const second = started.use(await startRedisServer([...auth, '--replicaof', first.host, String(first.port)]))
  await until('the replica has its data', async () =>
    /^master_link_status:up/m.test(await connect(second).info('replication')),
  )
  const folder = await mkdtemp(join(tmpdir(), 'sluice-sentinels-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const sentinels = await Promise.all([0, 1, 2].map((i) => startSentinel(join(folder, `${i}.conf`), first)))
  for (const sentinel of sentinels) started.use(sentinel)
  const watchers = sentinels.map((sentinel) => connect(sentinel, SENTINEL_PASSWORD))
  await until('the Sentinels know each other', async () => (await Promise.all(watchers.map(knowsAll))).every(Boolean))

  const master = async () => {
    const named = await watchers[0]?.call('SENTINEL', 'GET-MASTER-ADDR-BY-NAME', NAME)
    return String(named) === `${first.host},${first.port}` ? first : second
  }
  const hosts = sentinels.map(({ host, port }) => `${host}:${port}`).join(',')
  const query = `db=2&sentinel_password=${encodeURIComponent(SENTINEL_PASSWORD)}`
  const running = started.move()
  return {
    url: `redis+sentinel://:${encodeURIComponent(PASSWORD)}@${hosts}/${NAME}?${query}`,
    master,
    connect,
    killMaster: async () => {
      const node = await master()
      const admin = connect(node)
      await admin.set('last', 'before the failover')
      await admin.wait(1, 0)
      const soon = ['SET', NAME, 'down-after-milliseconds', DOWN_AFTER_MS.killed] as const
      await Promise.all(watchers.map((watcher) => watcher.call('SENTINEL', ...soon)))
      await node.kill()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** A master and its only Sentinel, both with TLS and a certificate for localhost, by which the Sentinel names it. */
export async function startSecureSentinel({ cert, key }: { readonly cert: string; readonly key: string }) {
  await using started = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'sluice-sentinels-'))
  started.defer(() => rm(folder, { recursive: true, force: true }))
  const [certFile, keyFile, conf] = ['cert.pem', 'key.pem', 'sentinel.conf'].map((name) => join(folder, name))
  await Promise.all([writeFile(`${certFile}`, cert), writeFile(`${keyFile}`, key)])
  const files = [`tls-cert-file ${certFile}`, `tls-key-file ${keyFile}`, `tls-ca-cert-file ${certFile}`]
  const settings = [...files, 'tls-auth-clients no', 'tls-replication yes']
  const [masterPort, port] = [await freePort(), await freePort()]
  const args = [...settings, `tls-port ${masterPort}`].flatMap((line) => `--${line}`.split(' '))
  started.use(await startRedisServer(args))
  const hostnames = ['sentinel resolve-hostnames yes', 'sentinel announce-hostnames yes']
  const lines = [...settings, `tls-port ${port}`, ...hostnames, `sentinel monitor ${NAME} localhost ${masterPort} 1`]
  await writeFile(`${conf}`, `${lines.join('\n')}\n`)
  started.use(await startRedisServer([], { name: 'Sentinel', command: ['redis-server', `${conf}`, '--sentinel'] }))
  const running = started.move()
  return {
    url: `rediss+sentinel://localhost:${port}/${NAME}`,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function startSentinel(file: string, { host, port }: RedisServer): Promise<RedisServer> {
  const lines = [
    `sentinel monitor ${NAME} ${host} ${port} 2`,
    `sentinel auth-pass ${NAME} "${PASSWORD}"`,
    `sentinel down-after-milliseconds ${NAME} ${DOWN_AFTER_MS.usual}`,
    `sentinel failover-timeout ${NAME} 10000`,
    `requirepass "${SENTINEL_PASSWORD}"`,
    `sentinel sentinel-pass "${SENTINEL_PASSWORD}"`,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  return startRedisServer([], { name: 'Sentinel', command: ['redis-server', file, '--sentinel'] })
}

/** Whether the Sentinel knows the replica and the two others. */
async function knowsAll(watcher: Redis): Promise<boolean> {
  const facts = (await watcher.call('SENTINEL', 'MASTER', NAME)) as string[]
  const fact = (name: string) => facts[facts.indexOf(name) + 1]
  return fact('flags') === 'master' && fact('num-slaves') === '1' && fact('num-other-sentinels') === '2'
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + READY_WITHIN_MS
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`not within ${READY_WITHIN_MS} ms: ${what}`)
    await delay(20)
  }
}
