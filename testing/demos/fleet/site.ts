import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Database, openDatabase } from '#server/database/database.ts'
import { type CountingS3, startCountingS3 } from '../../servers/counting-s3.ts'
import { freePort } from '../../servers/free-port.ts'
import { startNginx } from '../../servers/nginx.ts'
import { type PostgresPair, startPostgresPair } from '../../servers/postgres-pair.ts'
import { type RedisPair, startRedisPair } from '../../servers/redis-pair.ts'
import { mountSmallDisk } from '../../servers/small-disk.ts'
import { type Member, startMember } from './member.ts'

export const SECRET = 'a secret of the demonstration, 32 or more'
/** Signed links and cookies are for this address. */
export const ORIGIN = 'http://127.0.0.1'
/** How long caches may keep what is public, so that what is gone for guests can be known after seconds. */
export const CACHE_SECONDS = 1
const DISK_BYTES = 256 * 1024 ** 2

/** Three processes of one site behind nginx, as on three machines, and their stores, each of which can fail. */
export interface FleetSite extends AsyncDisposable {
  /** Of nginx. */
  readonly address: string
  readonly members: readonly [Member, Member, Member]
  readonly postgres: PostgresPair
  readonly redis: RedisPair
  readonly bucket: CountingS3
  /** The folder of the first process, on a disk of its own; null where mounting is not permitted. */
  readonly smallDisk: string | null
  /** Settings of the processes, past the proxies. */
  readonly directEnv: () => Readonly<Record<string, string>>
  /** Opens the database past the proxy. */
  openDatabase(): Promise<Database>
}

export async function startSite(): Promise<FleetSite> {
  await using started = new AsyncDisposableStack()
  const root = await mkdtemp(join(tmpdir(), 'sluice-fleet-'))
  started.defer(() => rm(root, { recursive: true, force: true }))
  const disk = await mountSmallDisk(DISK_BYTES)
  if (disk) started.use(disk)
  const postgres = started.use(await startPostgresPair())
  const redis = started.use(await startRedisPair())
  const bucket = started.use(await startCountingS3())
  const database = await postgres.createDatabase()
  const env = {
    ...{ DATABASE_URL: postgres.throughProxy(database), REDIS_URL: redis.url },
    ...{ S3_BUCKET: bucket.bucket, S3_ENDPOINT: bucket.endpoint },
    ...{ S3_ACCESS_KEY_ID: bucket.accessKeyId, S3_SECRET_ACCESS_KEY: bucket.secretAccessKey },
    ...{ SLUICE_SECRET: SECRET, SLUICE_ORIGIN: ORIGIN, SLUICE_TRUSTED_PROXIES: '127.0.0.1' },
    // A small cache, so that the bucket is asked again.
    ...{ SLUICE_CACHE_SECONDS: String(CACHE_SECONDS), SLUICE_CACHE_MAX: '4MB', SLUICE_LOG: 'warn' },
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'stepped-clock.ts')}`,
  }
  const start = async (folder: string) =>
    started.use(await startMember({ port: String(await freePort()), dataDir: folder, env }))
  // The first alone migrates the database.
  const first = await start(disk?.path ?? join(root, '1'))
  const [second, third] = await Promise.all([start(join(root, '2')), start(join(root, '3'))])
  const nginx = started.use(await startNginx(first.port, second.port, third.port))
  const running = started.move()
  return {
    address: nginx.origin,
    members: [first, second, third],
    ...{ postgres, redis, bucket },
    smallDisk: disk?.path ?? null,
    directEnv: () => ({ ...env, NODE_OPTIONS: '', DATABASE_URL: postgres.direct(database) }),
    openDatabase: () => openDatabase({ dataDir: root, databaseUrl: postgres.direct(database) }),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
