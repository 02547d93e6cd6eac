import { spawnSync } from 'node:child_process'

/** A number derived from the checked-out commit, so that samples differ between commits and can be repeated. */
export function seedOfCommit(): number {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
  // Without git, such as in an archive of the sources, the seed is constant.
  return /^[0-9a-f]{7}/.test(stdout ?? '') ? Number.parseInt(stdout.slice(0, 7), 16) : 1
}
