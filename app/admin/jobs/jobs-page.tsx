'use client'

import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { FirstFew } from '#app/ui/first-few.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { type JobItem, JobRow } from './job-row.tsx'
import { jobLoss, jobName, jobSummary } from './job-text.ts'
import { Maintenance } from './maintenance.tsx'
import { useJobActions } from './use-job-actions.ts'
import { WebhookSection } from './webhook.tsx'

const POLL_MS = 5_000
const FEW = 10

/** Background jobs, and for superadmins the maintenance and the webhook. */
export function JobsPage() {
  const t = useTranslations('adminJobs')
  const format = useFormat()
  const viewer = useAccount()
  const trpc = useTRPC()
  const query = useQuery(trpc.job.list.queryOptions(undefined, { refetchInterval: POLL_MS }))
  const actions = useJobActions()
  const [discarding, setDiscarding] = useState<JobItem | null>(null)
  const items = query.data?.items ?? []
  const total = query.data?.counts.reduce(
    (sum, each) => sum + each.waiting + each.active + each.retrying + each.failed,
    0,
  )
  return (
    <div className="mx-auto max-w-5xl px-4 pb-12 sm:px-6">
      <h1 className="py-6 text-2xl font-semibold tracking-[-0.02em]">{t('title')}</h1>
      {query.isPending && <Skeleton className="h-40 w-full" />}
      {query.data && <p className="mb-4 text-sm text-ink-soft">{jobSummary(t, format, query.data.counts)}</p>}
      {items.length > 0 && (
        <FirstFew items={items} few={FEW}>
          {(few) => (
            <ul aria-label={t('title')} className="divide-y divide-line rounded-lg border border-line bg-surface">
              {few.map((job) => (
                <JobRow
                  key={job.id}
                  job={job}
                  actions={viewer.role === 'superadmin' ? actions : null}
                  onDiscard={() => setDiscarding(job)}
                />
              ))}
            </ul>
          )}
        </FirstFew>
      )}
      {total !== undefined && total > items.length && (
        <p className="mt-2 text-sm text-ink-soft">{t('more', { count: total - items.length })}</p>
      )}
      <QueryStanding query={query} />
      {viewer.role === 'superadmin' && <Maintenance />}
      {viewer.role === 'superadmin' && <WebhookSection />}
      {discarding && (
        <Confirm
          isOpen
          title={t('discardTitle', { job: jobName(t, discarding) })}
          action={t('discardAction')}
          onClose={() => setDiscarding(null)}
          onConfirm={() => actions.discard(discarding.id)}
        >
          {format.sentences([jobLoss(t, discarding), t('discardFinal')])}
        </Confirm>
      )}
    </div>
  )
}
