// npm run lockfile: adds to package-lock.json the programs for other platforms that a dependency offers and that were missing
// from the registry when it was written. Without them `npm ci` reports that package.json and the lockfile do not match.
import { readFileSync, writeFileSync } from 'node:fs'
import { z } from 'zod'

const lockedPackage = z.looseObject({
  version: z.string().optional(),
  dev: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})
const lockfileShape = z.looseObject({ packages: z.record(z.string(), lockedPackage) })

type Lockfile = z.infer<typeof lockfileShape>

const systems = ['android', 'darwin', 'freebsd', 'linux', 'openharmony', 'win32']
const processors = ['arm', 'arm64', 'ia32', 'loong64', 'ppc64', 'riscv64', 's390x', 'wasm32', 'x64']

/** Returns the platform in a package's name, in the lockfile's terms; null if the name has none. */
export function parsePlatform(name: string): { os?: string[]; cpu?: string[]; libc?: string[] } | null {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.includes(word))
  const cpu = words.filter((word) => processors.includes(word))
  const libc = words.flatMap((word) => (word === 'musl' ? ['musl'] : word === 'gnu' ? ['glibc'] : []))
  if (cpu.length === 0) return null
  return { cpu, ...(os.length > 0 && { os }), ...(libc.length > 0 && { libc }) }
}

/** Returns the optional programs that the lockfile's packages require in an exact version and that it lacks. */
export function missingPrograms({ packages }: Lockfile): Record<string, z.infer<typeof lockedPackage>> {
  const asked = Object.values(packages).flatMap(({ optionalDependencies = {}, dev }) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ name, version, dev })),
  )
  return Object.fromEntries(
    asked
      .filter(({ name, version }) => !packages[`node_modules/${name}`] && /^\d+\.\d+\.\d+(-.+)?$/.test(version))
      .flatMap(({ name, version, dev }) => {
        const platform = parsePlatform(name)
        if (platform === null) return []
        return [[`node_modules/${name}`, { version, ...platform, ...(dev && { dev }), optional: true }]]
      }),
  )
}

export function readLockfile(): Lockfile {
  return lockfileShape.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')))
}

if (import.meta.main) {
  const lockfile = readLockfile()
  const missing = missingPrograms(lockfile)
  const packages = { ...lockfile.packages, ...missing }
  writeFileSync('package-lock.json', `${JSON.stringify({ ...lockfile, packages }, null, 2)}\n`)
  console.log(`added ${Object.keys(missing).join(', ') || 'nothing'}`)
}
