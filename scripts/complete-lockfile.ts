// npm run lockfile: names in package-lock.json the programs of other platforms that a dependency offers and the registry
// at hand did not have when it was written. `npm ci` otherwise says that package.json and the lockfile disagree.
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

/** The platform that a package's name says, as a lockfile words it; null when it says none. */
export function platformOf(name: string): { os?: string[]; cpu?: string[]; libc?: string[] } | null {
  const words = name.split(/[/-]/)
  const os = words.filter((word) => systems.includes(word))
  const cpu = words.filter((word) => processors.includes(word))
  const libc = words.flatMap((word) => (word === 'musl' ? ['musl'] : word === 'gnu' ? ['glibc'] : []))
  if (cpu.length === 0) return null
  return { cpu, ...(os.length > 0 && { os }), ...(libc.length > 0 && { libc }) }
}

/** The optional programs that the lockfile's packages ask for in one exact version and that it does not hold. */
export function missingPrograms({ packages }: Lockfile): Record<string, z.infer<typeof lockedPackage>> {
  const asked = Object.values(packages).flatMap(({ optionalDependencies = {}, dev }) =>
    Object.entries(optionalDependencies).map(([name, version]) => ({ name, version, dev })),
  )
  return Object.fromEntries(
    asked
      .filter(({ name, version }) => !packages[`node_modules/${name}`] && /^\d+\.\d+\.\d+(-.+)?$/.test(version))
      .flatMap(({ name, version, dev }) => {
        const platform = platformOf(name)
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
