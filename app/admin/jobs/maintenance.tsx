'use client'

import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { nameOfJob, outcomeOfTask } from './words.ts'

/** It runs each hour at most. */
const LOOK_MS = 60_000

/** What the site last did by itself: emptied trash, swept store. */
export function Maintenance() {
  const trpc = useTRPC()
  const query = useQuery(trpc.site.maintenance.queryOptions(undefined, { refetchInterval: LOOK_MS }))
  return (
    <section aria-labelledby="maintenance" className="mt-10">
      <h2 id="maintenance" className="mb-3 text-lg font-semibold">
        Maintenance
      </h2>
      <QueryStanding query={query} />
      {query.data?.length === 0 && <p className="text-sm text-ink-soft">Nothing has run yet.</p>}
      {query.data && query.data.length > 0 && (
        <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
          {query.data.map((task) => (
            <li
              key={task.name}
              className="grid gap-x-4 px-4 py-2.5 text-sm md:grid-cols-[12rem_minmax(0,1fr)_max-content]"
            >
              <span className="font-medium">{nameOfJob(task)}</span>
              <span className="figures text-ink-soft">{outcomeOfTask(task)}</span>
              <span className="figures text-ink-soft">
                {task.finishedAt === null && 'under way since '}
                <Moment iso={task.finishedAt ?? task.startedAt} time />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
