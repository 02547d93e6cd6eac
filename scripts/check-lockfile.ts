// Fails on a package of the lockfile that `npm ci` could not verify, or that would run a script which package.json does not
// name in allowScripts.
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const lockedPackage = z.looseObject({
  integrity: z.string().optional(),
  /** Part of its parent's tarball, and covered by the parent's hash. */
  inBundle: z.boolean().optional(),
  hasInstallScript: z.boolean().optional(),
  optionalDependencies: z.record(z.string(), z.string()).optional(),
})

const lockfileShape = z.object({ packages: z.record(z.string(), lockedPackage) })

/** `allowed`: the packages about whose install scripts package.json decides, either way. */
export function findLockfileProblems(lockfile: unknown, allowed: readonly string[]): string[] {
  const { packages } = lockfileShape.parse(lockfile)
  const { '': _root, ...installed } = packages
  return Object.entries(installed).flatMap(
    ([path, { integrity, inBundle, hasInstallScript, optionalDependencies }]) => {
      const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
      const missing = Object.entries(optionalDependencies ?? {}).filter(
        ([program, version]) => /^\d/.test(version) && !(`node_modules/${program}` in packages),
      )
      return [
        ...(integrity || inBundle ? [] : [`${path} has no integrity hash`]),
        ...(hasInstallScript && !allowed.includes(name)
          ? [`${path} runs an install script: decide in allowScripts`]
          : []),
        // npm leaves out what the registry lacks at that moment, and `npm ci` then fails on the platform that needs it.
        ...missing.map(
          ([program, version]) => `${path} needs ${program}@${version} on some platform, which is not locked`,
        ),
      ]
    },
  )
}

if (import.meta.main) {
  const read = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
  const { allowScripts } = z.object({ allowScripts: z.record(z.string(), z.boolean()) }).parse(read('package.json'))
  const problems = findLockfileProblems(read('package-lock.json'), Object.keys(allowScripts))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exitCode = 1
}
