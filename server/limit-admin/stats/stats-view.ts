import type { Viewer } from '#server/accounts/viewer.ts'
import type { PrismaClient } from '#server/database/database.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import type { LimiterStats, NearLimit, RefusedSubject } from '#server/limits/stats/limiter-stats.ts'
import { findOutage } from '#server/outage.ts'
import { describeSubject, loadSubjectNames, type ShownSubject, type SubjectNames } from '../shown-subject.ts'

type Shown<T> = Omit<T, 'subject'> & { readonly subject: ShownSubject }

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
  readonly status: StatsView['status']
}

/** Takes a sample; without names if the database is unavailable. */
export async function sampleStats(db: PrismaClient, limiter: Limiter): Promise<StatsSample> {
  const stats = limiter.stats()
  const subjects = [...stats.nearest, ...stats.mostRefused].map(({ subject }) => subject)
  const names = await loadSubjectNames(db, subjects).catch((error: unknown): SubjectNames => {
    if (findOutage(error)) return new Map()
    throw error
  })
  return { stats, names, status: limiter.status() }
}

/** Returns the part of a sample that the viewer may see. */
export function statsView({ stats, names, status }: StatsSample, viewer: Viewer, store: StatsView['store']): StatsView {
  const shown = <T extends { readonly subject: string }>(each: T): Shown<T> => {
    return { ...each, subject: describeSubject(each.subject, names, !viewer.shared) }
  }
  return { ...stats, nearest: stats.nearest.map(shown), mostRefused: stats.mostRefused.map(shown), store, status }
}
