import { expect, test } from 'vitest'
import { crossedBorders } from './check-borders.ts'

const crossing: [path: string, code: string, why: string][] = [
  ['server/images/a.ts', "import x from '#app/x.tsx'", 'server/ never imports app/'],
  ['server/images/a.ts', "import type { X } from '../../app/x.tsx'", 'server/ never imports app/'],
  ['server/main.ts', "const x = await import('../app/x.tsx')", 'server/ never imports app/'],
  ['server/main.ts', 'const x = await import(`#app/x.tsx`)', 'server/ never imports app/'],
  ['server/main.ts', "type X = import('#app/x.tsx').X", 'server/ never imports app/'],
  ['server/main.ts', "export * from '#server/../app/x.ts'", 'server/ never imports app/'],
  ['server/limits/a.ts', "import type { C } from '#server/config.ts'", 'server/limits imports no other area'],
  ['server/limits/a.ts', "import { c } from '../accounts/roles.ts'", 'server/limits imports no other area'],
  ['server/limits/a.test.ts', "import { c } from '#server/app.ts'", 'server/limits imports no other area'],
  ['server/images/a.ts', "import { x } from '#server/http/trpc.ts'", 'an area never imports http/'],
  ['server/images/a/b.ts', "import { x } from '../../http/trpc.ts'", 'an area never imports http/'],
  ['server/accounts/a.ts', "import type { R } from '../trpc/router.ts'", 'an area never imports http/'],
  ['server/accounts/a.ts', "export { r } from '#server/trpc/router'", 'an area never imports http/'],
  ['server/storage/a.ts', "import type { C } from '../config.ts'", 'server/storage imports no other area'],
  ['server/http/a.ts', "import { PutObjectCommand } from '@aws-sdk/client-s3'", 'the SDK of buckets'],
  ['server/storage/cached.ts', "import type { S3ClientConfig } from '@aws-sdk/client-s3'", 'the SDK of buckets'],
  [
    'server/storage/s3/put.ts',
    "import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3'",
    'there it is metered',
  ],
  ['server/storage/s3/put.ts', "import { S3Client as Other } from '@aws-sdk/client-s3'", 'there it is metered'],
  ['server/storage/s3/put.ts', "import * as s3 from '@aws-sdk/client-s3'", 'there it is metered'],
  ['server/storage/s3/put.ts', "export { S3Client } from '@aws-sdk/client-s3'", 'there it is metered'],
  ['server/storage/s3/put.ts', "const s3 = await import('@aws-sdk/client-s3')", 'there it is metered'],
  ['server/database/a.ts', "import type { C } from '#server/storage/disk.ts'", 'server/database imports no other area'],
  ['app/page.tsx', "import { x } from '#server/images/list-images.ts'", 'app/ takes only types'],
  ['app/page.tsx', "import { type X } from '#server/images/list-images.ts'", 'app/ takes only types'],
  ['app/a/b/page.tsx', "import x from '../../../server/config.ts'", 'app/ takes only types'],
  ['app/page.tsx', "import { PrismaClient } from '../generated/prisma/client.ts'", 'app/ takes only types'],
  ['server/current-app.ts', "import { z } from 'zod'", 'server/current-app.ts imports nothing but types'],
  ['server/current-app.ts', "import './app.ts'", 'server/current-app.ts imports nothing but types'],
  ['server/main.ts', "import { x } from '../testing/redis-server.ts'", 'what ships never imports test helpers'],
  ['cli/a.ts', "import { sniffFormat } from '#server/images/format.ts'", 'cli/ speaks to a server as any program'],
  ['cli/a.ts', "import { startApp } from '#testing/sluice-app.ts'", 'what ships never imports test helpers'],
  ['server/main.ts', "import { print } from '../cli/command.ts'", 'stand without the command'],
  ['server/main.ts', 'const { env } = process', 'only server/config.ts'],
  ['app/page.tsx', 'const { env: settings } = process', 'only server/config.ts'],
]

test.each(crossing)('%s may not say: %s', (path, code, why) => {
  const crossed = crossedBorders(path, code)
  expect(crossed.length).toBe(1)
  expect(crossed[0]).toContain(why)
})

const allowed: [path: string, code: string][] = [
  ['app/page.tsx', "import type { AppRouter } from '#server/trpc/router.ts'"],
  ['app/page.tsx', "export type { AppRouter } from '#server/trpc/router.ts'"],
  ['app/page.tsx', "import { currentApp } from '#server/current-app.ts'"],
  ['cli/a.ts', "import type { AppRouter } from '#server/trpc/router.ts'"],
  ['cli/a.ts', "import { titleOf } from '#server/images/names.ts'"],
  ['cli/a.server.test.ts', "import { makeToken } from '#server/accounts/tokens/api-token.ts'"],
  ['cli/owner/backup.ts', "import { loadConfig } from '#server/config.ts'"],
  ['server/current-app.ts', "import type { App } from './app.ts'"],
  ['server/limits/a.ts', "import { x } from './b.ts'\nimport { z } from 'zod'"],
  ['server/limits/a.redis.test.ts', "import { startRedisServer } from '../../testing/redis-server.ts'"],
  ['server/storage/s3/bucket.ts', "import { S3Client } from '@aws-sdk/client-s3'"],
  ['server/storage/s3/put.ts', "import { PutObjectCommand } from '@aws-sdk/client-s3'"],
  ['server/storage/s3/attempts.ts', "import type { S3Client } from '@aws-sdk/client-s3'"],
  ['server/images/a.ts', "import { procedure } from '#server/trpc/init.ts'"],
  ['server/images/a.test.ts', "import { router } from '#server/trpc/router.ts'"],
  ['server/http/trpc.ts', "import { router } from '#server/trpc/router.ts'"],
  ['server/config.ts', 'const { env } = process'],
  ['scripts/test.ts', 'const { env } = process'],
  ['server/main.ts', 'const { pid } = process'],
]

test.each(allowed)('%s may say: %s', (path, code) => {
  expect(crossedBorders(path, code)).toEqual([])
})

test('a file that does not parse is an error, not a pass', () => {
  expect(() => crossedBorders('app/page.tsx', 'import { from')).toThrow('app/page.tsx could not be parsed')
})
