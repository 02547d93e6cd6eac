'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { nameOfJob } from './words.ts'

type Job = Outputs['job']['list']['items'][number]

const states = {
  waiting: { word: 'Waits', tone: 'plain' },
  active: { word: 'Under way', tone: 'water' },
  retrying: { word: 'To be tried again', tone: 'gate' },
  failed: { word: 'Failed', tone: 'danger' },
} as const

/** A job, with its last error, and ways to try it now and to give it up. */
export function JobRow({ job, mayChange }: { job: Job; mayChange: boolean }) {
  const { id, state, attempts, limit, nextAt, createdAt, error } = job
  const { word, tone } = states[state]
  return (
    <li className="grid items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm md:grid-cols-[10rem_minmax(0,1fr)_max-content]">
      <span className="flex items-center gap-2 font-medium">{nameOfJob(job)}</span>
      <div className="min-w-0">
        <p className="figures flex flex-wrap items-center gap-x-2 text-ink-soft">
          <Tag tone={tone}>{word}</Tag>
          <span>
            {attempts > 0 && `${attempts} of ${limit} attempts, `}
            {nextAt ? 'next ' : 'sent '}
            <Moment iso={nextAt ?? createdAt} time />
          </span>
        </p>
        {error && <p className="mt-1 break-words">{error}</p>}
      </div>
      {mayChange && state !== 'active' && <Actions id={id} />}
    </li>
  )
}

function Actions({ id }: { id: string }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const onSettled = () => queryClient.invalidateQueries({ queryKey: trpc.job.list.queryKey() })
  const retry = useMutation(
    trpc.job.retry.mutationOptions({
      onSettled,
      onError: (error, input) => reportFailure('The job is not tried again.', error, () => retry.mutate(input)),
    }),
  )
  const discard = useMutation(
    trpc.job.discard.mutationOptions({
      onSettled,
      onError: (error, input) => reportFailure('The job was not discarded.', error, () => discard.mutate(input)),
    }),
  )
  return (
    <span className="flex gap-1">
      <Button size="small" isPending={retry.isPending} onPress={() => retry.mutate({ id })}>
        Try now
      </Button>
      <Button size="small" tone="quiet-danger" isPending={discard.isPending} onPress={() => discard.mutate({ id })}>
        Discard
      </Button>
    </span>
  )
}
