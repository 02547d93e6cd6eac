import { setTimeout as wait } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config } from '#server/config.ts'
import type { PrismaClient } from '#server/database/database.ts'
import { versionToFollow } from '#server/database/version.ts'
import type { Calls } from '#server/limit-admin/calls.ts'
import { Follower } from '#server/limit-admin/follower.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import { openTexts } from './secret-settings.ts'
import { readSiteValues, type SiteValues } from './settings.ts'
import { readSettingsRow } from './settings-row.ts'

/** The site's settings: those of the environment, then those in the database, then the defaults. */
export interface Site {
  /** Returns what is in force, from memory. A change by another process applies within a second, so read it where it is
   *  used. */
  read(): SiteValues
  /** Call after each change. Never rejects. */
  announce(): Promise<void>
  close(): void
}

interface SiteDependencies {
  readonly db: PrismaClient
  readonly limiter: Pick<Limiter, 'fleet'>
  readonly config: Pick<Config, 'site' | 'secret' | 'databaseUrl' | 'redisUrl'>
  readonly calls: Pick<Calls, 'count' | 'nextUntil'>
  readonly log: Pick<Logger, 'warn'>
}

/** Reads the stored settings and follows their changes. Rejects when the database fails. */
export async function openSite({ db, limiter, config, calls, log }: SiteDependencies): Promise<Site> {
  let values = readSiteValues(config.site)
  const warned = new Set<string>()
  const read = async () => {
    const { texts, unknown } = await readSettingsRow(db)
    for (const setting of Object.keys(unknown)) {
      if (!warned.has(setting)) log.warn({ setting }, 'stored setting skipped')
      warned.add(setting)
    }
    values = readSiteValues(openTexts(config, texts, config.site))
  }
  // Unreferenced, so that it keeps no process alive.
  const pause = (ms: number) => wait(ms, undefined, { ref: false })
  const version = versionToFollow(db, config, ['SiteSettings'])
  const what = 'the site settings'
  const follower = new Follower({ topic: 'site', what, read, fleet: limiter.fleet, version, calls, log, pause })
  await follower.open()
  return { read: () => values, announce: () => follower.announce(), close: () => follower.close() }
}
