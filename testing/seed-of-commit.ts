import { spawnSync } from 'node:child_process'

/** A number made of the commit that is checked out: what is drawn by it differs between commits and can be drawn again. */
export function seedOfCommit(): number {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: import.meta.dirname, encoding: 'utf8' })
  // Without git, as in an archive of the sources, there is one draw for all.
  return /^[0-9a-f]{7}/.test(stdout ?? '') ? Number.parseInt(stdout.slice(0, 7), 16) : 1
}
