import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { rooms } from './borders.ts'
import { findCycles } from './find-cycles.ts'
import { findImports, type Import } from './imports.ts'

/** Packages with a single importer, for tests and tools as well. */
const reserved = [
  {
    packages: /^package:@(aws-sdk|smithy)\//,
    importer: /^server\/storage\/s3\//,
    why: 'the SDK of buckets is asked by the store of objects alone',
  },
  {
    packages: /^package:@aws-sdk\/client-s3$/,
    importer: /^server\/storage\/s3\/bucket\.ts$/,
    values: ['S3', 'S3Client'],
    why: 'only server/storage/s3/bucket.ts makes a client of a bucket: there it is metered',
  },
]

const isTest = (path: string): boolean => /\.(test|conformance)\.tsx?$/.test(path)

const list = (names = ''): string[] => names.split(/\s+/).filter(Boolean)

const homes = new Map(
  [...rooms].flatMap(([name, { folders }]) =>
    [name, ...list(folders).map((each) => `${name}/${each}`)].map((home) => [home, name]),
  ),
)

/** Returns the name of a file's room; undefined if its folder is in none. */
const findRoom = (path: string): string | undefined => homes.get(path) ?? homes.get(posix.dirname(path))

const covers = (allowed: string, target: string): boolean =>
  allowed === 'package:*' ? target.startsWith('package:') : target === allowed || target.startsWith(`${allowed}/`)

function mayImport(path: string, name: string, { target, typeOnly }: Import): boolean {
  if (target.startsWith('node:') || findRoom(target) === name) return true
  const { imports, types, tests } = rooms.get(name) ?? {}
  const allowed = [...list(imports), ...(typeOnly ? list(types) : []), ...(isTest(path) ? list(tests) : [])]
  return allowed.some((each) => covers(each, target))
}

function crossesReserved(path: string, { target, typeOnly, names }: Import): string | null {
  const crossed = reserved.find(({ packages, importer, values }) => {
    if (importer.test(path) || !packages.test(target)) return false
    return !values || (!typeOnly && names.some((name) => name === '*' || values.includes(name)))
  })
  return crossed?.why ?? null
}

/** Returns one sentence for each border (scripts/borders/) that a file crosses. `path` is relative to the repository. */
export function crossedBorders(path: string, code: string, found = findImports(path, code)): string[] {
  const { imports, destructuresEnv } = found
  const name = findRoom(path)
  if (name === undefined) return [`${path}: ${posix.dirname(path)} is in no room. Add it to scripts/borders/.`]
  const crossed = imports.flatMap((each) => {
    const why = crossesReserved(path, each) ?? (mayImport(path, name, each) ? null : refusal(name))
    return why ? [`${path} imports ${each.specifier}: ${why}`] : []
  })
  // Biome's noProcessEnv sees process.env, but not `const { env } = process`.
  if (destructuresEnv && /^(server|app)\//.test(path) && path !== 'server/config.ts') {
    crossed.push(`${path} reads process.env: only server/config.ts does`)
  }
  return crossed
}

const refusal = (name: string): string => {
  const why = rooms.get(name)?.why
  return `scripts/borders/ does not allow ${name} to${why ? ` (${why})` : ''}`
}

/** Returns one sentence for each import cycle, type imports included. `imports` are those of every file by its path. */
export function describeCycles(imports: ReadonlyMap<string, readonly Import[]>): string[] {
  const targets = [...imports].map(([path, found]) => [path, found.map(({ target }) => target)] as const)
  return findCycles(new Map(targets)).map((files) => `${files.length} files import each other: ${files.join(', ')}`)
}

if (import.meta.main) {
  const exclude = ['node_modules/**', 'generated/**', 'data/**', 'dist/**', '.*/**', 'next-env.d.ts']
  const paths = globSync('**/*.{ts,tsx,mjs}', { exclude })
  const imports = new Map<string, readonly Import[]>()
  const crossed = paths.flatMap((path) => {
    const code = readFileSync(path, 'utf8')
    const found = findImports(path, code)
    imports.set(path, found.imports)
    return crossedBorders(path, code, found)
  })
  const cycles = describeCycles(imports)
  for (const sentence of [...crossed, ...cycles]) console.error(sentence)
  console.log(`borders: ${paths.length} files, ${crossed.length} crossings, ${cycles.length} cycles`)
  process.exitCode = crossed.length + cycles.length > 0 || paths.length === 0 ? 1 : 0
}
