'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { focusNeighbour } from './focus-neighbour.ts'
import { PendingImages } from './pending-images.tsx'
import { ReportCard } from './report-card.tsx'
import { ReportDialogs, type ReportTask } from './report-dialogs.tsx'
import { useReportActions } from './use-report-actions.ts'
import { type ReportItem, type ReportState, useReportsOptions } from './use-reports.ts'

/** The images that were reported, those last reported first. Viewers of a shared account only read. */
export function ReportsPage() {
  const t = useTranslations('adminReports')
  const { shared } = useAccount()
  const [shown, setShown] = useState<ReportState | 'pending'>('open')
  const state = shown === 'pending' ? 'open' : shown
  const [task, setTask] = useState<ReportTask | null>(null)
  const query = useInfiniteQuery(useReportsOptions(state))
  const actions = useReportActions()
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  const mayDecide = !shared && state === 'open'
  const press = (event: KeyboardEvent<HTMLElement>, report: ReportItem) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault()
      focusNeighbour(event.currentTarget, event.key === 'ArrowDown' ? 'next' : 'previous')
      return
    }
    if (!mayDecide) return
    if (event.key === 'd') actions.decide(report, 'dismiss')
    if (event.key === 't') actions.decide(report, 'trash')
    if (event.key === 'h') setTask({ act: 'hide', report })
  }
  const list = (
    <>
      {query.isPending && <Skeleton className="h-48 w-full" />}
      <QueryStanding query={query} />
      {query.isSuccess && items.length === 0 && <EmptyList>{state === 'open' ? t('none') : t('noneClosed')}</EmptyList>}
      {items.length > 0 && (
        <>
          <ul aria-label={t('title')} className="flex flex-col gap-3">
            {items.map((report) => (
              <ReportCard
                key={report.id}
                report={report}
                mayDecide={mayDecide}
                mayReopen={!shared && state === 'closed'}
                isBusy={actions.busy === report.id}
                onKeyDown={(event) => press(event, report)}
                onAct={(act) =>
                  act === 'hide' || act === 'ban' ? setTask({ act, report }) : actions.decide(report, act)
                }
                onReopen={() => actions.reopen(report)}
              />
            ))}
          </ul>
          {mayDecide && <p className="mt-4 text-sm text-ink-soft max-sm:hidden">{t('keys')}</p>}
        </>
      )}
      {query.isFetchingNextPage && (
        <p role="status" className="py-4 text-center text-sm text-ink-soft">
          {t('loading')}
        </p>
      )}
      <LoadMore
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => void query.fetchNextPage()}
      />
    </>
  )
  return (
    <div className="mx-auto max-w-5xl px-4 pb-12 sm:px-6">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 py-6">
        <div className="min-w-0">
          <h1 className="text-2xl font-semibold tracking-[-0.02em]">{t('title')}</h1>
          <p className="mt-1 text-ink-soft">{shown === 'pending' ? t('pendingLead') : t('lead')}</p>
        </div>
        <Segments
          label={t('state')}
          value={shown}
          options={[
            { value: 'open', label: t('open') },
            { value: 'closed', label: t('closed') },
            { value: 'pending', label: t('pending') },
          ]}
          onChange={setShown}
        />
      </div>
      {shown === 'pending' ? <PendingImages mayDecide={!shared} /> : list}
      <ReportDialogs task={task} onDecide={actions.decide} onClose={() => setTask(null)} />
    </div>
  )
}
