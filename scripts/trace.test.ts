import { expect, test } from 'vitest'
import { traceFiles } from './trace.ts'

/** The modules that read files besides modules, start processes or load native code. */
const READERS = [
  'server/database/migrate.ts',
  'server/database/open-pglite.ts',
  'server/images/decoder/pool.ts',
  'server/limits/stores/redis/lua-script.ts',
]

test('what a package needs is in the trace, and what builds it is not', async () => {
  const files = await traceFiles(READERS, (file) => file.startsWith('node_modules/zod/'))
  const native = [...files].filter((file) => /\.(node|so[.\d]*)$/.test(file)).map((file) => file.replace(/^.*\//, ''))
  expect([...files]).toEqual(
    expect.arrayContaining([
      'lua/driver.lua',
      'prisma/schema.prisma',
      'prisma/migrations/migration_lock.toml',
      'prisma/migrations/20261121094209_initial/migration.sql',
      // A child process, and a worker thread.
      'server/images/decoder/child.ts',
      'server/images/decoder/heic/worker.ts',
      'node_modules/@electric-sql/pglite/dist/pglite.wasm',
      'node_modules/@electric-sql/pglite/dist/pglite.data',
      'node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm',
    ]),
  )
  expect(native).toEqual(
    expect.arrayContaining([expect.stringMatching(/^sharp-/), expect.stringMatching(/^libvips-cpp/)]),
  )
  expect([...files].filter((file) => file.startsWith('node_modules/zod/') || /\.test\.ts$/.test(file))).toEqual([])
})
