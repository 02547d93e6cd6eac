'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { BackupRuns } from './backup-runs.tsx'
import { RunProgress } from './run-progress.tsx'
import { BackupSummary } from './summary.tsx'
import type { Backups } from './types.ts'

const IDLE_MS = 30_000
const BUSY_MS = 2_000

/** Where backups go, how the last ones went, and a button that makes one now. */
export function BackupsPage() {
  const t = useTranslations('adminBackups')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const query = useQuery(
    trpc.backup.show.queryOptions(undefined, {
      refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? BUSY_MS : IDLE_MS),
    }),
  )
  const start = useMutation(
    trpc.backup.start.mutationOptions({
      onSettled: () => queryClient.invalidateQueries({ queryKey: trpc.backup.show.queryKey() }),
      onError: (error) => reportFailure(t('startFailed'), error, () => start.mutate()),
    }),
  )
  const backups = query.data
  return (
    <div className="mx-auto max-w-5xl px-4 pb-12 sm:px-6">
      <div className="flex flex-wrap items-center gap-3 py-6">
        <h1 className="mr-auto text-2xl font-semibold tracking-[-0.02em]">{t('title')}</h1>
        {backups?.destination && (
          <Button
            tone="primary"
            isDisabled={isBusy(backups)}
            isPending={start.isPending}
            onPress={() => start.mutate()}
          >
            {t('start')}
          </Button>
        )}
      </div>
      {query.isPending && <Skeleton className="h-64 w-full" />}
      <QueryStanding query={query} />
      {backups && (
        <div className="flex flex-col gap-6">
          <Standing backups={backups} />
          {backups.destination !== null && <BackupSummary backups={backups} />}
          <RunProgress backups={backups} />
          {(backups.destination !== null || backups.runs.length > 0) && <BackupRuns runs={backups.runs} />}
        </div>
      )}
    </div>
  )
}

const isBusy = ({ isQueued, runs }: Backups): boolean => isQueued || runs.some(({ state }) => state === 'running')

/** What needs somebody: no destination, or no good backup in time. */
function Standing({ backups: { destination, isLate, goodAt } }: { backups: Backups }) {
  const t = useTranslations('adminBackups')
  if (destination === null) {
    return <Notice>{t.rich('nowhere', { code: (text) => <code className="font-mono break-all">{text}</code> })}</Notice>
  }
  return isLate && <Notice tone="danger">{goodAt ? t('late') : t('lateNone')}</Notice>
}
