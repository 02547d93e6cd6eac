'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { findTestState, type ListedJobs, type TestState } from './test-event.ts'
import { useJobError } from './use-job-error.ts'

/** The webhook's address, events and secret, and a button that sends a test event. */
export function WebhookSection() {
  const t = useTranslations('adminJobs')
  const trpc = useTRPC()
  const query = useQuery(trpc.webhook.show.queryOptions())
  return (
    <section aria-labelledby="webhook" className="mt-10">
      <h2 id="webhook" className="mb-3 text-lg font-semibold">
        {t('webhook')}
      </h2>
      <QueryStanding query={query} />
      {query.isSuccess && !query.data && (
        <p className="text-sm text-ink-soft">
          {t.rich('webhookOff', {
            link: (text: ReactNode) => (
              <Link href="/admin/site" prefetch={false} className="underline underline-offset-4">
                {text}
              </Link>
            ),
          })}
        </p>
      )}
      {query.data && <Target {...query.data} />}
    </section>
  )
}

function Target({ url, secret, events }: { url: string; secret: string; events: readonly string[] }) {
  const t = useTranslations('adminJobs')
  const format = useFormat()
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const [isShown, setShown] = useState(false)
  const jobs = trpc.job.list.queryOptions()
  const [before, setBefore] = useState<ListedJobs | null>(null)
  const list = useQuery({
    ...jobs,
    enabled: before !== null,
    refetchInterval: ({ state }) => isPending(before, state.data) && POLL_MS,
  })
  const test = useMutation({
    mutationFn: async () => {
      setBefore(null)
      const known = await queryClient.fetchQuery({ ...jobs, staleTime: 0 })
      await client.webhook.test.mutate()
      await queryClient.fetchQuery({ ...jobs, staleTime: 0 })
      setBefore(known)
    },
    onError: (error) => reportFailure(t('testNotSent'), error, () => test.mutate()),
  })
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <p className="break-all">{url}</p>
      <p className="text-ink-soft">
        {events.length === 0 ? t('webhookNoEvents') : t('webhookEvents', { events: format.parts(events) })}
      </p>
      {isShown && (
        <code className="rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] break-all">
          {secret}
        </code>
      )}
      <div className="flex flex-wrap gap-2">
        {isShown ? (
          <CopyButton text={secret} label={t('copySecretLabel')} word={t('copySecret')} />
        ) : (
          <Button size="small" onPress={() => setShown(true)}>
            {t('showSecret')}
          </Button>
        )}
        <Button size="small" isPending={test.isPending} onPress={() => test.mutate()}>
          {t('sendTest')}
        </Button>
      </div>
      <p role="status" className="empty:hidden">
        {before && list.data && <TestResult state={findTestState(before, list.data)} />}
      </p>
    </div>
  )
}

/** How often the list is read while the test is pending. */
const POLL_MS = 2_000

const isPending = (before: ListedJobs | null, now: ListedJobs | undefined): boolean =>
  before !== null && now !== undefined && findTestState(before, now).is === 'pending'

function TestResult({ state }: { state: TestState }) {
  const t = useTranslations('adminJobs')
  const say = useJobError()
  if (state.is === 'failed') {
    const reason = say(state.job)
    const text = reason === null ? t('test.failedUnknown') : t('test.failed', { reason })
    return <span className="text-danger">{text}</span>
  }
  return <span className={state.is === 'delivered' ? 'text-good' : undefined}>{t(`test.${state.is}`)}</span>
}
