import { readFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'

const manifest = z.object({ version: z.string() })

/** The installed version of a dependency. */
export function versionOf(name: string): string {
  const file = join(import.meta.dirname, '../../node_modules', name, 'package.json')
  return manifest.parse(JSON.parse(readFileSync(file, 'utf8'))).version
}

/** The load average of the preceding minute, which shows what else the machine was doing. */
export const [loadBefore = 0] = loadavg()

/** Describes the machine and the date of a measurement, one line each. `programs` are those that took part besides Node. */
export function machineLines(programs: readonly string[] = []): readonly string[] {
  return [
    `${processor()}, ${Math.round(totalmem() / 2 ** 30)} GB of memory`,
    `Node ${process.versions.node}`,
    ...programs,
    `${today()}, at a load of ${loadBefore.toFixed(1)} before`,
  ]
}

/** '2 cores of …'. */
export function processor(): string {
  const [cpu] = cpus()
  return `${cpus().length} cores of ${cpu?.model.trim() ?? 'an unknown processor'}`
}

/** The date in UTC, in ISO 8601. */
export function today(): string {
  return new Date().toISOString().slice(0, 10)
}
