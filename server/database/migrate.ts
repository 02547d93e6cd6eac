import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  bindMigrationAwareSqlAdapterFactory,
  type SqlMigrationAwareDriverAdapterFactory,
} from '@prisma/driver-adapter-utils'
import { SchemaEngine } from '@prisma/schema-engine-wasm'

const prismaDir = join(import.meta.dirname, '../../prisma')
const migrationsDir = join(prismaDir, 'migrations')

/**
 * Migrates the database to the newest schema with Prisma's own engine, compiled to WebAssembly. It writes the same to
 * `_prisma_migrations` as `prisma migrate deploy`. Applies all migrations, or those up to `last`, and returns their names.
 */
export async function migrate(
  factory: SqlMigrationAwareDriverAdapterFactory,
  last?: string,
): Promise<readonly string[]> {
  const engine = await openEngine(factory)
  try {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(last),
      filters: { externalTables: [], externalEnums: [] },
    })
    return appliedMigrationNames
  } finally {
    engine.free()
  }
}

/** Returns the SQL that turns the schema of a migrated database into prisma/schema.prisma's; null if they are equal. */
export async function diffFromSchema(factory: SqlMigrationAwareDriverAdapterFactory): Promise<string | null> {
  const engine = await openEngine(factory)
  const files = [{ path: 'schema.prisma', content: await readSchema() }]
  try {
    const { stdout } = await engine.diff({
      from: { tag: 'schemaDatasource', files, configDir: prismaDir },
      to: { tag: 'schemaDatamodel', files },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    })
    return stdout?.includes('empty migration') ? null : stdout
  } finally {
    engine.free()
  }
}

async function openEngine(factory: SqlMigrationAwareDriverAdapterFactory): Promise<SchemaEngine> {
  const datamodels: [string, string][] = [['schema.prisma', await readSchema()]]
  return SchemaEngine.new({ datamodels }, () => undefined, bindMigrationAwareSqlAdapterFactory(factory))
}

const readSchema = () => readFile(join(prismaDir, 'schema.prisma'), 'utf8')

/** Returns the names of all migrations in order. */
export async function migrationNames(): Promise<readonly string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort()
}

async function readMigrations(last?: string) {
  const names = await migrationNames()
  const migrationDirectories = await Promise.all(
    names
      .filter((name) => last === undefined || name <= last)
      .map(async (path) => ({
        path,
        migrationFile: {
          path: 'migration.sql',
          content: { tag: 'ok' as const, value: await readFile(join(migrationsDir, path, 'migration.sql'), 'utf8') },
        },
      })),
  )
  const lockfile = {
    path: 'migration_lock.toml',
    content: await readFile(join(migrationsDir, 'migration_lock.toml'), 'utf8'),
  }
  return { baseDir: migrationsDir, lockfile, shadowDbInitScript: '', migrationDirectories }
}
