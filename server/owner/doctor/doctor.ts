import { constants } from 'node:fs'
import { access, stat, statfs } from 'node:fs/promises'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { formatBytes } from '#format/bytes.ts'
import { CannotStart } from '#server/cannot-start.ts'
import type { ConfigWithoutSecret } from '#server/config.ts'
import { connectionsEach } from '#server/database/database.ts'
import { inspectPostgres } from '#server/database/inspect-postgres.ts'
import { inspectRedis } from '#server/limits/stores/redis/inspect-redis.ts'
import { RedisProblem } from '#server/limits/stores/redis/redis-problem.ts'
import { pitfalls } from '#server/pitfalls.ts'
import { unmetered } from '#server/storage/meter.ts'
import { readBucketRules } from '#server/storage/s3/bucket-rules.ts'
import { createS3Store } from '#server/storage/s3/s3.ts'
import type { S3Settings } from '#server/storage/s3/settings.ts'
import { othersFile } from '../others-file.ts'
import { checkClock, type Finding, findings } from './finding.ts'

/** Connections that the job queue of a process takes. */
const JOB_CONNECTIONS = 3
/** Free on the disk below which uploads soon fail, and below which nothing works. */
const LITTLE_BYTES = 1024 ** 3
const NO_BYTES = 100 * 1024 ** 2
/** Memory of a process with its decoders. */
const PROCESS_BYTES = 1024 ** 3

/** Checks what a start needs and what goes wrong later, and changes nothing but a probe object in the bucket. Yields one finding
 *  after the other. */
export async function* examine(config: ConfigWithoutSecret, unknown: readonly string[]): AsyncGenerator<Finding> {
  yield* checkSettings(config, unknown)
  yield* await checkFolder(config.dataDir)
  yield* await checkDatabase(config)
  yield* await checkLimiter(config.redisUrl)
  yield* config.s3 ? await checkBucket(config.s3) : []
}

function checkSettings(config: ConfigWithoutSecret, unknown: readonly string[]): readonly Finding[] {
  const { ok, warning } = findings('settings')
  const { count } = config.processes
  const room = Math.floor(totalmem() / PROCESS_BYTES)
  const found = [
    ...unknown.map((name) => warning(`${name} is no setting, and does nothing. Correct its name, or remove it.`)),
    ...pitfalls(config).map((text) => warning(`${text}.`)),
    ...(count > Math.max(1, room)
      ? [warning(`SLUICE_PROCESSES: ${count} processes take 1 GiB each at times; this machine has room for ${room}.`)]
      : []),
    ...(config.overrides ? [] : [warning('SLUICE_OVERRIDES is off: all overrides of limits are ignored. Remove it.')]),
  ]
  return found.length > 0
    ? found
    : [ok(`valid; ${config.origin}, ${count === 1 ? 'one process' : `${count} processes`}`)]
}

async function checkFolder(dataDir: string): Promise<readonly Finding[]> {
  const { ok, warning, broken } = findings('data folder')
  if (!(await stat(dataDir).catch(() => null))) return [ok(`${dataDir} will be created by the first start`)]
  const others = await othersFile(dataDir)
  if (others)
    return [broken(`${others.path} belongs to another user. Run Sluice as that user, or chown the folder to its own.`)]
  const refused = await firstUnwritable([
    dataDir,
    join(dataDir, 'objects'),
    join(dataDir, 'cache'),
    join(dataDir, 'db'),
  ])
  if (refused) return [broken(`this user may not write to ${refused}. Run chown and chmod u+rwX on it.`)]
  const { bavail, blocks, bsize, ffree, files } = await statfs(dataDir)
  const [free, size] = [bavail * bsize, blocks * bsize]
  const left = `${formatBytes(free, 'en')} of ${formatBytes(size, 'en')} are free`
  const place = `the disk of ${dataDir}`
  if (free < NO_BYTES) return [broken(`${left} on ${place}: uploads fail. Free some, or move the folder.`)]
  if (files > 0 && ffree / files < 0.01)
    return [warning(`${place} has hardly any inodes left. Delete small files, or move the folder.`)]
  if (free < LITTLE_BYTES) return [warning(`${left} on ${place}. Free some, or lower SLUICE_CACHE_MAX.`)]
  return [ok(`${dataDir}, ${left}`)]
}

async function firstUnwritable(paths: readonly string[]): Promise<string | null> {
  for (const path of paths) {
    const error: unknown = await access(path, constants.W_OK | constants.R_OK | constants.X_OK).catch((cause) => cause)
    if (error instanceof Error && 'code' in error && error.code !== 'ENOENT') return path
  }
  return null
}

async function checkDatabase({ databaseUrl, dataDir, processes }: ConfigWithoutSecret): Promise<readonly Finding[]> {
  const { ok, warning, broken } = findings('database')
  if (databaseUrl === null) return [ok(`embedded, in ${join(dataDir, 'db')}`)]
  try {
    const { version, aheadMs, maxConnections, isReadOnly, mayCreate, isToMigrate } = await inspectPostgres(databaseUrl)
    const needed = processes.count * (connectionsEach(processes.count) + JOB_CONNECTIONS)
    const found = [
      ...(isReadOnly ? [broken('the server takes no writes. Use the address of the primary server.')] : []),
      ...(mayCreate
        ? []
        : [
            broken('this user may not create tables and schemas, as migrations do. Make it the owner of the database.'),
          ]),
      ...(needed > maxConnections * 0.9
        ? [
            warning(
              `the server takes ${maxConnections} connections, and Sluice opens up to ${needed}. Raise max_connections.`,
            ),
          ]
        : []),
    ]
    const state = isToMigrate ? ', which the next start migrates' : ''
    return [
      ...(found.length > 0 ? found : [ok(`PostgreSQL ${version}${state}`)]),
      ...checkClock('the database', aheadMs),
    ]
  } catch (error) {
    if (error instanceof CannotStart) return [broken(error.message)]
    throw error
  }
}

async function checkLimiter(redisUrl: string | null): Promise<readonly Finding[]> {
  const { ok, warning, broken } = findings('limits')
  if (redisUrl === null) return [ok('counted in the process')]
  try {
    const { version, aheadMs, maxMemory, evictionPolicy } = await inspectRedis(redisUrl)
    const evicts = maxMemory > 0 && evictionPolicy !== null && evictionPolicy !== 'noeviction'
    const found = evicts
      ? warning(
          `Redis evicts counters at ${formatBytes(maxMemory, 'en')}, and limits forget calls. Set maxmemory-policy noeviction.`,
        )
      : ok(`Redis ${version ?? 'of an unknown version'}`)
    return [found, ...checkClock('Redis', aheadMs)]
  } catch (error) {
    if (error instanceof RedisProblem) return [broken(`REDIS_URL: ${error.message}`)]
    throw error
  }
}

async function checkBucket(settings: S3Settings): Promise<readonly Finding[]> {
  const { ok, warning, broken } = findings('bucket')
  const store = createS3Store(settings, unmetered)
  try {
    const warnings = (await store.verify()).map(warning)
    const { keepsVersions, expiryDays } = await readBucketRules(settings)
    const found = [
      ...warnings,
      ...(typeof expiryDays === 'number' || expiryDays === 'some'
        ? [
            broken(
              'a lifecycle rule deletes objects, and with them images. Remove the rule, or restrict it to another prefix.',
            ),
          ]
        : []),
      ...(keepsVersions
        ? [
            warning(
              'the bucket keeps deleted images as older versions, which are stored and billed. Turn versioning off, or expire noncurrent versions.',
            ),
          ]
        : []),
    ]
    return found.length > 0 ? found : [ok(store.description)]
  } catch (error) {
    if (error instanceof CannotStart) return [broken(error.message)]
    throw error
  } finally {
    await store.close()
  }
}
