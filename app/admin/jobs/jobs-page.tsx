'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { FirstFew } from '#app/ui/first-few.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { formatCount } from '#format/counts.ts'
import { type JobItem, JobRow } from './job-row.tsx'
import { Maintenance } from './maintenance.tsx'
import { useJobActions } from './use-job-actions.ts'
import { Webhook } from './webhook.tsx'
import { lossOf, nameOfJob, summaryOf } from './words.ts'

const LOOK_MS = 5_000
const FEW = 10

/** What the site does behind: what runs by itself, what waits or has failed, and who is told of events. */
export function JobsPage() {
  const viewer = useAccount()
  const trpc = useTRPC()
  const query = useQuery(trpc.job.list.queryOptions(undefined, { refetchInterval: LOOK_MS }))
  const actions = useJobActions()
  const [doomed, setDoomed] = useState<JobItem | null>(null)
  const items = query.data?.items ?? []
  const total = query.data?.counts.reduce(
    (sum, each) => sum + each.waiting + each.active + each.retrying + each.failed,
    0,
  )
  return (
    <div className="mx-auto max-w-5xl px-4 pb-12 sm:px-6">
      <h1 className="py-6 text-2xl font-semibold tracking-[-0.02em]">Jobs</h1>
      {query.isPending && <Skeleton className="h-40 w-full" />}
      {query.data && <p className="mb-4 text-sm text-ink-soft">{summaryOf(query.data.counts)}</p>}
      {items.length > 0 && (
        <FirstFew items={items} few={FEW}>
          {(few) => (
            <ul aria-label="Jobs" className="divide-y divide-line rounded-lg border border-line bg-surface">
              {few.map((job) => (
                <JobRow
                  key={job.id}
                  job={job}
                  actions={viewer.role === 'superadmin' ? actions : null}
                  onDiscard={() => setDoomed(job)}
                />
              ))}
            </ul>
          )}
        </FirstFew>
      )}
      {total !== undefined && total > items.length && (
        <p className="mt-2 text-sm text-ink-soft">And {formatCount(total - items.length)} more behind these.</p>
      )}
      <QueryStanding query={query} />
      {viewer.role === 'superadmin' && <Maintenance />}
      {viewer.role === 'superadmin' && <Webhook />}
      {doomed && (
        <Confirm
          isOpen
          title={`Discard “${nameOfJob(doomed)}”?`}
          action="Discard job"
          onClose={() => setDoomed(null)}
          onConfirm={() => actions.discard(doomed.id)}
        >
          {lossOf(doomed)}
        </Confirm>
      )}
    </div>
  )
}
