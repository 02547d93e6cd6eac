import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { findNewerRedis, machineRedis, newerRedis } from '../../testing/redis-programs.ts'

const manifest = z.object({ version: z.string() })

/** The version of a dependency that is installed. */
export function versionOf(name: string): string {
  const file = join(import.meta.dirname, '../../node_modules', name, 'package.json')
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version
}

/** Processes that wanted a core in the minute before: what else the machine did. */
const [loadBefore = 0] = loadavg()

/** On what the figures were measured, a line each. */
export function machineLines(): readonly string[] {
  const [cpu] = cpus()
  const newer = newerRedis.slice(0, 1).map((redis) => findNewerRedis(redis).name)
  return [
    `${cpus().length} cores of ${cpu?.model.trim() ?? 'an unknown processor'}, ${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    `Node ${process.versions.node}, ioredis ${versionOf('ioredis')}`,
    `${machineRedis().name} without persistence, over loopback; for memory ${newer.join(', ')} too`,
    `${new Date().toISOString().slice(0, 10)}, at a load of ${loadBefore.toFixed(1)} before`,
  ]
}
