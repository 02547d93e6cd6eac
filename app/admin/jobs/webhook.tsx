'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { CopyButton } from '#app/ui/copy-button.tsx'
import { type JobList, type TestState, testStateOf } from './test-event.ts'

/** Who is told of events, the secret that proves who tells, and a way to try it. */
export function Webhook() {
  const trpc = useTRPC()
  const query = useQuery(trpc.webhook.show.queryOptions())
  return (
    <section aria-labelledby="webhook" className="mt-10">
      <h2 id="webhook" className="mb-3 text-lg font-semibold">
        Webhook
      </h2>
      <QueryStanding query={query} />
      {query.isSuccess && !query.data && (
        <p className="text-sm text-ink-soft">
          Nobody is told of what happens here, such as a budget that is near its end. <code>SLUICE_WEBHOOK</code> names
          who is to be.
        </p>
      )}
      {query.data && <Target {...query.data} />}
    </section>
  )
}

function Target({ url, secret, events }: { url: string; secret: string; events: readonly string[] }) {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const [isShown, setShown] = useState(false)
  const jobs = trpc.job.list.queryOptions()
  const [before, setBefore] = useState<JobList | null>(null)
  const list = useQuery({
    ...jobs,
    enabled: before !== null,
    refetchInterval: ({ state }) => isUnderWay(before, state.data) && LOOK_MS,
  })
  const test = useMutation({
    mutationFn: async () => {
      setBefore(null)
      const known = await queryClient.fetchQuery({ ...jobs, staleTime: 0 })
      await client.webhook.test.mutate()
      await queryClient.fetchQuery({ ...jobs, staleTime: 0 })
      setBefore(known)
    },
    onError: (error) => reportFailure('No test event was sent.', error, () => test.mutate()),
  })
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-line bg-surface px-4 py-3 text-sm">
      <p className="break-all">{url}</p>
      <p className="text-ink-soft">
        It is told of {events.length === 0 ? 'nothing but tests' : events.join(', ')}, and again until it answers. Each
        message is signed as Standard Webhooks says.
      </p>
      {isShown && (
        <code className="rounded-md border border-line bg-sunken px-3 py-2.5 font-mono text-[0.8125rem] break-all">
          {secret}
        </code>
      )}
      <div className="flex flex-wrap gap-2">
        {isShown ? (
          <CopyButton text={secret} label="Copy secret of the webhook" word="Copy secret" />
        ) : (
          <Button size="small" onPress={() => setShown(true)}>
            Show secret
          </Button>
        )}
        <Button size="small" isPending={test.isPending} onPress={() => test.mutate()}>
          Send a test
        </Button>
      </div>
      <p role="status" className="empty:hidden">
        {before && list.data && <TestResult state={testStateOf(before, list.data)} />}
      </p>
    </div>
  )
}

/** Milliseconds between two looks at a test that is under way. */
const LOOK_MS = 2_000

const isUnderWay = (before: JobList | null, now: JobList | undefined): boolean =>
  before !== null && now !== undefined && testStateOf(before, now).is === 'under-way'

function TestResult({ state }: { state: TestState }) {
  if (state.is === 'failed')
    return <span className="text-danger">The test did not arrive, and is tried again. {state.error}</span>
  return {
    'under-way': 'The test is on its way.',
    arrived: <span className="text-good">The test has arrived: the receiver took it.</span>,
    unknown: 'The test was sent. If it fails, it is among the jobs.',
  }[state.is]
}
