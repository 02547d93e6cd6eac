import { existsSync } from 'node:fs'
import { expect, test } from 'vitest'
import { rooms } from './borders.ts'
import { crossedBorders, describeCycles } from './check-borders.ts'
import { findImports } from './imports.ts'

const crossing: [path: string, code: string, why: string][] = [
  ['server/images/a.ts', "import x from '#app/x.tsx'", 'does not allow server/images to'],
  ['server/images/a.ts', "import type { X } from '../../app/x.tsx'", 'does not allow server/images to'],
  ['server/main.ts', "const x = await import('../app/x.tsx')", 'does not allow server/main.ts to'],
  ['server/main.ts', 'const x = await import(`#app/x.tsx`)', 'does not allow server/main.ts to'],
  ['server/main.ts', "type X = import('#app/x.tsx').X", 'does not allow server/main.ts to'],
  ['server/main.ts', "export * from '#server/../app/x.ts'", 'does not allow server/main.ts to'],
  ['server/limits/a.ts', "import type { C } from '#server/config.ts'", 'the limiter imports no other area'],
  ['server/limits/a.ts', "import { c } from '../accounts/roles.ts'", 'the limiter imports no other area'],
  ['server/limits/a.test.ts', "import { c } from '#server/app.ts'", 'the limiter imports no other area'],
  ['server/images/a.ts', "import { x } from '#server/http/trpc.ts'", 'an area imports no routes, no router'],
  ['server/images/bulk/b.ts', "import { x } from '../../http/trpc.ts'", 'an area imports no routes, no router'],
  ['server/accounts/a.ts', "import type { R } from '../trpc/router.ts'", 'an area imports no routes, no router'],
  ['server/accounts/a.ts', "export { r } from '#server/trpc/router'", 'an area imports no routes, no router'],
  ['server/storage/a.ts', "import type { C } from '../config.ts'", 'does not allow server/storage to'],
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
  ['server/database/a.ts', "import type { C } from '#server/storage/disk.ts'", 'does not allow server/database to'],
  ['app/page.tsx', "import { x } from '#server/images/list-images.ts'", 'app/ takes only types'],
  ['app/page.tsx', "import { type X } from '#server/images/list-images.ts'", 'app/ takes only types'],
  ['app/account/tokens/page.tsx', "import x from '../../../server/config.ts'", 'app/ takes only types'],
  ['app/page.tsx', "import { PrismaClient } from '../generated/prisma/client.ts'", 'app/ takes only types'],
  ['server/current-app.ts', "import { z } from 'zod'", 'it imports nothing but types'],
  ['server/current-app.ts', "import './app.ts'", 'it imports nothing but types'],
  ['server/main.ts', "import { x } from '../testing/servers/redis-server.ts'", 'does not allow server/main.ts to'],
  ['cli/a.ts', "import { sniffFormat } from '#server/images/format.ts'", 'cli/ talks to a server as any program'],
  ['cli/a.ts', "import { startApp } from '#testing/sluice/sluice-app.ts'", 'does not allow cli to'],
  ['server/main.ts', "import { print } from '../cli/command.ts'", 'does not allow server/main.ts to'],
  ['server/images/a.ts', "import { rule } from '#server/budgets/budgets.ts'", 'does not allow server/images to'],
  ['server/images/a.ts', "import { Pool } from 'pg'", 'does not allow server/images to'],
  ['server/images/a.ts', "import { config } from '#server/config.ts'", 'does not allow server/images to'],
  ['server/images/decoder/a.ts', "import { x } from '#server/database/database.ts'", 'hold neither the database'],
  ['server/rarely.ts', "import { createApp } from './app.ts'", 'does not allow server to'],
  ['server/http/a.ts', "import { x } from 'next'", 'does not allow server/http to'],
  ['app/ui/a.tsx', "import { Uploads } from '#app/upload/uploads.tsx'", 'does not allow app/ui to'],
  ['app/page.test.ts', "import { x } from '#server/images/names.ts'", 'app/ takes only types'],
  ['server/images/a.test.ts', "import x from '#app/x.tsx'", 'does not allow server/images to'],
  ['format/bytes.ts', "import { z } from 'zod'", 'it depends on nothing'],
  ['server/cellar/a.ts', 'export {}', 'server/cellar is in no room. Add it to scripts/borders/.'],
  ['server/images/albums/a.ts', 'export {}', 'server/images/albums is in no room'],
  ['app/cellar/[id]/page.tsx', 'export {}', 'app/cellar/[id] is in no room'],
  ['worker/a.ts', 'export {}', 'worker is in no room'],
  ['server/main.ts', 'const { env } = process', 'only server/config.ts'],
  ['app/page.tsx', 'const { env: settings } = process', 'only server/config.ts'],
]

test.each(crossing)('%s may not contain: %s', (path, code, why) => {
  const crossed = crossedBorders(path, code)
  expect(crossed.length).toBe(1)
  expect(crossed[0]).toContain(why)
})

const allowed: [path: string, code: string][] = [
  ['app/connection/trpc.ts', "import type { AppRouter } from '#server/trpc/router.ts'"],
  ['app/connection/trpc.ts', "export type { AppRouter } from '#server/trpc/router.ts'"],
  ['app/page.tsx', "import { currentApp } from '#server/current-app.ts'"],
  ['cli/connection/a.ts', "import type { AppRouter } from '#server/trpc/router.ts'"],
  ['cli/files/a.ts', "import { titleOf } from '#server/images/names.ts'"],
  ['cli/a.server.test.ts', "import { makeToken } from '#server/accounts/tokens/api-token.ts'"],
  ['cli/owner/backup.ts', "import { loadConfig } from '#server/config.ts'"],
  ['server/current-app.ts', "import type { PageBridge } from '#server/http/pages/page-bridge.ts'"],
  ['server/images/a.ts', "import type { Config } from '#server/config.ts'"],
  ['server/limits/a.ts', "import { bytes } from '#format/bytes.ts'"],
  ['server/images/a.ts', "import { join } from 'node:path'"],
  ['server/limits/a.ts', "import { x } from './b.ts'\nimport { z } from 'zod'"],
  ['server/limits/a.redis.test.ts', "import { startRedisServer } from '../../testing/servers/redis-server.ts'"],
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

test.each(allowed)('%s may contain: %s', (path, code) => {
  expect(crossedBorders(path, code)).toEqual([])
})

test('a file that does not parse is an error, not a pass', () => {
  expect(() => crossedBorders('app/page.tsx', 'import { from')).toThrow('app/page.tsx could not be parsed')
})

const importsOf = (sources: ReadonlyMap<string, string>) =>
  new Map([...sources].map(([path, code]) => [path, findImports(path, code).imports]))

test('finds a cycle through type imports and through other files', () => {
  const sources = new Map([
    ['server/app.ts', "import { router } from './router.ts'"],
    ['server/router.ts', "import { call } from '#server/call.ts'"],
    ['server/call.ts', "import type { App } from './app.ts'"],
    ['server/serve.ts', "import { createApp } from './app.ts'"],
    ['server/rarely.ts', "import { setTimeout } from 'node:timers/promises'"],
  ])
  expect(describeCycles(importsOf(sources))).toEqual([
    '3 files import each other: server/app.ts, server/call.ts, server/router.ts',
  ])
})

test('reports separate cycles separately', () => {
  const imports = (target: string) => `export * from './${target}.ts'`
  const sources = new Map([
    ['a.ts', `${imports('b')}\n${imports('c')}`],
    ['b.ts', imports('a')],
    ['c.ts', imports('d')],
    ['d.ts', `${imports('c')}\n${imports('e')}`],
    ['e.ts', ''],
  ])
  expect(describeCycles(importsOf(sources))).toEqual([
    '2 files import each other: c.ts, d.ts',
    '2 files import each other: a.ts, b.ts',
  ])
})

test('excludes files that lead into a cycle or out of it', () => {
  const sources = new Map([
    ['a.ts', "import './b.ts'"],
    ['b.ts', "import './c.ts'\nimport './d.ts'"],
    ['c.ts', "import './b.ts'"],
    ['d.ts', "import './e.ts'"],
    ['e.ts', ''],
  ])
  expect(describeCycles(importsOf(sources))).toEqual(['2 files import each other: b.ts, c.ts'])
})

test('every file and folder of the table exists', () => {
  const list = (names = '') => names.split(/\s+/).filter((name) => name && !name.startsWith('package:'))
  const named = [...rooms].flatMap(([name, { folders, imports, types, tests }]) => [
    name,
    ...list(folders).map((folder) => `${name}/${folder}`),
    ...[imports, types, tests].flatMap((names) => list(names)),
  ])
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})
