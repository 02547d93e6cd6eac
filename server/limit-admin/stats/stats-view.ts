import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import type { LimiterStats, NearLimit, RefusedSubject } from '#server/limits/stats/limiter-stats.ts'
import { findOutage } from '#server/outage.ts'
import type { Catalogue } from '../catalogue.ts'
import { subjectOfCount } from '../counted-key.ts'
import { loadThings, type ShownArgument, type Things } from '../named-things.ts'
import { createArgumentNamer } from '../shown-argument.ts'
import { describeSubject, loadSubjectNames, type ShownSubject, type SubjectNames } from '../shown-subject.ts'

type Shown<T> = Omit<T, 'subject' | 'argument' | 'key'> & {
  readonly subject: ShownSubject
  /** What of the subject's calls it counts, or of everybody's; null for all. */
  readonly argument: ShownArgument | null
  /** Null for viewers who may not see addresses, and from a process of an earlier version. */
  readonly key: string | null
}

/** The limiter's figures over all processes, with named subjects. */
export interface StatsView extends Omit<LimiterStats, 'nearest' | 'mostRefused'> {
  readonly nearest: readonly Shown<NearLimit>[]
  readonly mostRefused: readonly Shown<RefusedSubject>[]
  readonly store: 'redis' | 'in process'
  /** 'degraded' while this process decides without its store. */
  readonly status: 'ready' | 'degraded'
}

/** The figures at one time, from which each viewer's view is made. */
export interface StatsSample {
  readonly stats: LimiterStats
  readonly names: SubjectNames
  readonly things: Things
  readonly catalogue: Catalogue
  readonly status: StatsView['status']
}

/** What the figures are made from. */
export interface StatsSources {
  readonly db: PrismaClient
  readonly limiter: Limiter
  readonly catalogue: Catalogue
  /** Of this site, for links. */
  readonly origin: string
}

/** Takes a sample; without names if the database is unavailable. */
export async function sampleStats({ db, limiter, catalogue, origin }: StatsSources): Promise<StatsSample> {
  const stats = limiter.stats()
  const counts = [...stats.nearest, ...stats.mostRefused]
  const subjects = counts.map(subjectOfCount)
  const [names, things] = await Promise.all([
    loadSubjectNames(db, subjects).catch(unlessOutage),
    loadThings(db, origin, counts).catch(unlessOutage),
  ])
  return { stats, names, things, catalogue, status: limiter.status() }
}

/** Nothing is named during an outage of the database. */
function unlessOutage(error: unknown): ReadonlyMap<string, never> {
  if (findOutage(error)) return new Map<string, never>()
  throw error
}

/** Returns the part of a sample that the viewer may see. */
export function statsView(sample: StatsSample, viewer: Viewer, store: StatsView['store']): StatsView {
  const { stats, names, things, catalogue, status } = sample
  const nameArgument = createArgumentNamer(catalogue, things, viewer)
  const shown = <T extends NearLimit | RefusedSubject>(each: T): Shown<T> => ({
    ...each,
    subject: describeSubject(subjectOfCount(each), names, !viewer.shared),
    argument: nameArgument(each),
    key: viewer.shared ? null : (each.key ?? null),
  })
  return { ...stats, nearest: stats.nearest.map(shown), mostRefused: stats.mostRefused.map(shown), store, status }
}
