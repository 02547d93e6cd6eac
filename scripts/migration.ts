// npm run migration NAME: writes the next migration from the difference between prisma/migrations and prisma/schema.prisma.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { PrismaPGlite } from 'pglite-prisma-adapter'
import { diffFromSchema, migrate } from '#server/database/migrate.ts'

const name = process.argv[2]
if (!name || !/^[a-z0-9_]+$/.test(name)) throw new Error('usage: npm run migration -- name_in_snake_case')

const database = new PrismaPGlite(await PGlite.create())
await migrate(database)
const script = await diffFromSchema(database)
if (!script) {
  console.log('The migrations match prisma/schema.prisma. Nothing to write.')
} else {
  const stamp = new Date().toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const folder = join(import.meta.dirname, '../prisma/migrations', `${stamp}_${name}`)
  await mkdir(folder, { recursive: true })
  await writeFile(join(folder, 'migration.sql'), script)
  console.log(`wrote ${folder}/migration.sql`)
}
process.exit()
