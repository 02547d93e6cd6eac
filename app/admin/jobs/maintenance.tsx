'use client'

import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { jobName, taskOutcome } from './job-text.ts'
import { useJobError } from './use-job-error.ts'

/** Maintenance runs at most once an hour. */
const POLL_MS = 60_000

/** The last run of each maintenance task. */
export function Maintenance() {
  const t = useTranslations('adminJobs')
  const format = useFormat()
  const say = useJobError()
  const trpc = useTRPC()
  const query = useQuery(trpc.site.maintenance.queryOptions(undefined, { refetchInterval: POLL_MS }))
  return (
    <section aria-labelledby="maintenance" className="mt-10">
      <h2 id="maintenance" className="mb-3 text-lg font-semibold">
        {t('maintenance')}
      </h2>
      <QueryStanding query={query} />
      {query.data?.length === 0 && <p className="text-sm text-ink-soft">{t('maintenanceNone')}</p>}
      {query.data && query.data.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {query.data.map((task) => (
            <li
              key={task.name}
              className="grid gap-x-4 px-4 py-2.5 text-sm md:grid-cols-[12rem_minmax(0,1fr)_max-content]"
            >
              <span className="font-medium">{jobName(t, task)}</span>
              <span className="figures text-ink-soft">{taskOutcome(t, format, { ...task, reason: say(task) })}</span>
              <span className="figures text-ink-soft">
                {task.finishedAt === null ? (
                  t.rich('runningSince', { time: () => <LocalDate iso={task.startedAt} time /> })
                ) : (
                  <LocalDate iso={task.finishedAt} time />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
