import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { z } from 'zod'
import type { Config } from '#server/config.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { versionToFollow } from '#server/database/version.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import type { Site } from '#server/site/site.ts'
import { inputSchema } from './added/arguments.ts'
import type { Calls } from './calls.ts'
import type { Catalogue } from './catalogue.ts'
import { OverrideBook } from './overrides/override-book.ts'
import { readOverrides } from './overrides/override-rows.ts'
import { FleetRefusals } from './refusals/fleet-refusals.ts'
import type { RefusalLog } from './refusals/refusal-log.ts'
import { Sampler } from './stats/sampler.ts'
import { type StatsSample, sampleStats } from './stats/stats-view.ts'

/** The process-wide services for viewing the limiter and changing limits. */
export interface LimitAdmin {
  /** What the code declares, with the sets that were added at run time. */
  readonly catalogue: Catalogue
  readonly overrides: OverrideBook
  readonly figures: Sampler<StatsSample>
  readonly refusals: FleetRefusals
  /** Returns the schema of a procedure's input, for added rule sets that count an argument. */
  inputOf(procedure: string): z.ZodType | undefined
  close(): void
}

/** Milliseconds between the figures sent to a watching client. */
const INTERVAL_MS = 1_000

interface LimitAdminDependencies {
  readonly catalogue: Catalogue
  readonly db: PrismaClient
  readonly limiter: Limiter
  readonly config: Config
  readonly site: Pick<Site, 'read'>
  readonly calls: Calls
  readonly refusals: RefusalLog
  readonly log: Logger
}

/** Applies the stored overrides and follows their changes. Rejects when the database fails. */
export async function openLimitAdmin({
  config,
  db,
  site,
  refusals,
  ...parts
}: LimitAdminDependencies): Promise<LimitAdmin> {
  const overrides = new OverrideBook({
    ...parts,
    read: () => readOverrides(db),
    version: versionToFollow(db, config, ['LimitOverride']),
    largestBytes: () => site.read().maxUploadBytes,
    isOn: config.overrides,
    pause,
  })
  const figures = new Sampler(
    () => sampleStats({ db, limiter: parts.limiter, catalogue: overrides.catalogue, origin: config.origin }),
    () => pause(INTERVAL_MS),
  )
  await overrides.open()
  return {
    get catalogue() {
      return overrides.catalogue
    },
    overrides,
    figures,
    refusals: new FleetRefusals(refusals, parts.limiter.fleet),
    inputOf: (procedure) => {
      const part = overrides.catalogue.byPath.get(procedure)
      return part && inputSchema(part)
    },
    close: () => overrides.close(),
  }
}

/** Unreferenced, so that it keeps no process alive. */
const pause = (ms: number) => wait(ms, undefined, { ref: false })
