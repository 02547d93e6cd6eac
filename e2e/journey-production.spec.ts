import { startPostgresServer } from '../testing/servers/postgres-server.ts'
import { startRedisServer } from '../testing/servers/redis-server.ts'
import { startS3Server } from '../testing/servers/s3-server.ts'
import { test } from './fixtures.ts'
import { testJourney } from './journey.ts'

/** PostgreSQL, Redis and S3 in place of the embedded adapters. */
const production = test.extend<object, { settings: Record<string, string> }>({
  settings: [
    async ({ browserName: _ }, use) => {
      await using postgres = await startPostgresServer()
      await using redis = await startRedisServer()
      await using s3 = await startS3Server()
      await use({
        DATABASE_URL: await postgres.createDatabase(),
        REDIS_URL: redis.url,
        S3_BUCKET: s3.bucket,
        S3_ENDPOINT: s3.endpoint,
        S3_ACCESS_KEY_ID: s3.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.secretAccessKey,
      })
    },
    { scope: 'worker', timeout: 180_000 },
  ],
})

production.describe('over PostgreSQL, Redis and a bucket', () => testJourney(production, 3))
