import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkClock } from '#server/owner/doctor/finding.ts'
import { type HttpFaultProxy, startHttpFaultProxy } from '#testing/servers/http-faults.ts'
import { createPostgresDatabase } from '#testing/servers/postgres-database.ts'
import { startRedisServer } from '#testing/servers/redis-server.ts'
import { startS3Server } from '#testing/servers/s3-server.ts'
import { mountSmallDisk } from '#testing/servers/small-disk.ts'
import { type CommandHome, commandHome } from '#testing/sluice/sluice-command.ts'

const ended = new AsyncDisposableStack()
let home: CommandHome
let databaseUrl: string
let redisUrl: string
let evictingUrl: string
let bucket: Record<string, string>
let proxy: HttpFaultProxy
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'sluice-doctor-'))
  ended.defer(() => rm(dataDir, { recursive: true, force: true }))
  databaseUrl = await createPostgresDatabase()
  redisUrl = ended.use(await startRedisServer()).url
  evictingUrl = ended.use(await startRedisServer(['--maxmemory', '100mb', '--maxmemory-policy', 'allkeys-lru'])).url
  const s3 = ended.use(await startS3Server())
  proxy = ended.use(await startHttpFaultProxy(s3))
  bucket = {
    ...{ S3_BUCKET: s3.bucket, S3_ENDPOINT: proxy.endpoint, S3_REGION: 'us-east-1', S3_PREFIX: 'images' },
    ...{ S3_ACCESS_KEY_ID: s3.accessKeyId, S3_SECRET_ACCESS_KEY: s3.secretAccessKey },
  }
  home = ended.use(
    await commandHome({ SLUICE_DATA: dataDir, DATABASE_URL: databaseUrl, REDIS_URL: redisUrl, ...bucket }),
  )
})
afterAll(() => ended.disposeAsync())

/** Runs the command, and returns its exit code and what it found, apart from what is well. */
async function examine(env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await home.call(['doctor'], { env })
  expect(stderr).toBe('')
  const lines = stdout.trimEnd().split('\n')
  return { code, lines, found: lines.filter((line) => !line.startsWith('ok ')) }
}

async function query(...statements: string[]): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

describe('sluice doctor', () => {
  test('finds a site with every kind of store well', async () => {
    const { code, lines } = await examine({ SLUICE_PROCESSES: '2' })
    expect(lines).toEqual([
      expect.stringMatching(/^ok {7}settings: valid; .*, 2 processes$/),
      expect.stringMatching(/^ok {7}data folder: .* are free$/),
      expect.stringMatching(/^ok {7}database: PostgreSQL \d+.*, which the next start migrates$/),
      expect.stringMatching(/^ok {7}limits: Redis \d+\.\d+/),
      expect.stringMatching(/^ok {7}bucket: bucket sluice-test at /),
    ])
    expect(code).toBe(0)
  })

  test('names settings that do nothing or cannot work', async () => {
    const env = { SLUICE_SINGUP: 'open', SLUICE_PROCESSES: '200', SLUICE_OVERRIDES: 'off' }
    expect((await examine(env)).found).toEqual([
      'warning  settings: SLUICE_SINGUP is no setting, and does nothing. Correct its name, or remove it.',
      expect.stringMatching(/^warning {2}settings: SLUICE_PROCESSES: 200 processes take 1 GiB each at times/),
      'warning  settings: SLUICE_OVERRIDES is off: all overrides of limits are ignored. Remove it.',
      expect.stringMatching(
        /^warning {2}database: the server takes \d+ connections, and Sluice opens up to 1,?400\. Raise/,
      ),
    ])
    const invalid = await home.call(['doctor'], { env: { SLUICE_SIGNUP: 'perhaps' } })
    expect([invalid.code, invalid.stdout]).toEqual([1, ''])
    expect(invalid.stderr).toContain('SLUICE_SIGNUP')
  })

  test('finds stores that do not answer, and goes on to the next', async () => {
    const closed = '127.0.0.1:1'
    const { code, found } = await examine({
      ...{ DATABASE_URL: `postgres://sluice@${closed}/sluice`, REDIS_URL: `redis://${closed}` },
      S3_ENDPOINT: `http://${closed}`,
    })
    expect(found).toEqual([
      expect.stringMatching(/^broken {3}database: DATABASE_URL: no connection to .* Correct the setting, or start/),
      `broken   limits: REDIS_URL: nothing listens at ${closed}. Correct it, or start Redis.`,
      `broken   bucket: S3_ENDPOINT: nothing listens at ${closed}. Correct it, or start the server.`,
    ])
    expect(code).toBe(1)
  })

  test('finds a database that takes no writes, and a user without rights', async () => {
    const name = new URL(databaseUrl).pathname.slice(1)
    await query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`)
    const readOnly = await examine()
    expect([readOnly.code, readOnly.found]).toEqual([
      1,
      ['broken   database: the server takes no writes. Use the address of the primary server.'],
    ])
    await query(
      'SET default_transaction_read_only = off',
      `ALTER DATABASE "${name}" RESET default_transaction_read_only`,
    )
    await query('CREATE ROLE visitor LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC')
    const url = Object.assign(new URL(databaseUrl), { username: 'visitor' })
    expect((await examine({ DATABASE_URL: url.href })).found).toEqual([
      'broken   database: this user may not create tables and schemas, as migrations do. Make it the owner of the database.',
    ])
  })

  test('finds a Redis that forgets counters', async () => {
    const { code, found } = await examine({ REDIS_URL: evictingUrl })
    expect([code, found]).toEqual([
      0,
      ['warning  limits: Redis evicts counters at 100 MiB, and limits forget calls. Set maxmemory-policy noeviction.'],
    ])
  })

  test('finds a bucket with another key, and rules that delete images or keep them for ever', async () => {
    const wrong = await examine({ S3_SECRET_ACCESS_KEY: 'wrong' })
    expect([wrong.code, wrong.found]).toEqual([
      1,
      ['broken   bucket: S3_SECRET_ACCESS_KEY does not match S3_ACCESS_KEY_ID. Copy both again.'],
    ])
    // The server of the tests knows no rules.
    const xml = (body: string) => ({ status: 200, headers: { 'content-type': 'application/xml' }, body })
    const rule = (prefix: string) =>
      `<LifecycleConfiguration><Rule><Status>Enabled</Status><Filter><Prefix>${prefix}</Prefix></Filter><Expiration><Days>30</Days></Expiration></Rule></LifecycleConfiguration>`
    const versions = '<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>'
    const withRules = async (prefix: string) => {
      proxy.fault = ({ url }) => {
        if (url.includes('?versioning')) return { answer: xml(versions) }
        return url.includes('?lifecycle') ? { answer: xml(rule(prefix)) } : null
      }
      const { found } = await examine()
      proxy.fault = () => null
      return found.map((line) => line.split('.')[0])
    }
    const kept = 'warning  bucket: the bucket keeps deleted images as older versions, which are stored and billed'
    const expires = 'broken   bucket: a lifecycle rule deletes objects, and with them images'
    expect(await withRules('')).toEqual([expires, kept])
    expect(await withRules('images/')).toEqual([expires, kept])
    expect(await withRules('logs/')).toEqual([kept])
  })

  test('finds a data folder that is full, or of another user', async () => {
    // Only root can mount a disk, or give a folder away.
    if (process.getuid?.() !== 0) return
    await using disk = await mountSmallDisk(10 * 1024 * 1024)
    if (!disk) return
    expect((await examine({ SLUICE_DATA: disk.path })).found).toEqual([
      `broken   data folder: 10 MiB of 10 MiB are free on the disk of ${disk.path}: uploads fail. Free some, or move the folder.`,
    ])
    await chown(disk.path, 65_534, 65_534)
    expect((await examine({ SLUICE_DATA: disk.path })).found).toEqual([
      `broken   data folder: ${disk.path} belongs to another user. Run Sluice as that user, or chown the folder to its own.`,
    ])
  })

  test.each([
    [0, []],
    [-4_000, []],
    [9_000, ["This machine's clock is 9 s behind that of Redis. Set both by NTP."]],
    [-9_000, ["This machine's clock is 9 s ahead of that of Redis. Set both by NTP."]],
  ])('a clock that is %i ms ahead', (aheadMs, texts) => {
    expect(checkClock('Redis', aheadMs).map(({ text }) => text)).toEqual(texts)
  })

  test('a clock that is off by minutes is broken', () => {
    expect(checkClock('Redis', 300_000).map(({ level }) => level)).toEqual(['broken'])
  })
})
