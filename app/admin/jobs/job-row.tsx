'use client'

import type { Outputs } from '#app/connection/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import type { JobActions } from './use-job-actions.ts'
import { nameOfJob } from './words.ts'

export type JobItem = Outputs['job']['list']['items'][number]

const states = {
  waiting: { word: 'Waits', tone: 'plain' },
  active: { word: 'Under way', tone: 'water' },
  retrying: { word: 'To be tried again', tone: 'gate' },
  failed: { word: 'Failed', tone: 'danger' },
} as const

interface Props {
  job: JobItem
  /** Null for those who may only look. */
  actions: JobActions | null
  onDiscard: () => void
}

/** A job, with its last error, and ways to try it now and to give it up. */
export function JobRow({ job, actions, onDiscard }: Props) {
  const { id, state, attempts, limit, nextAt, createdAt, error } = job
  const { word, tone } = states[state]
  return (
    <li className="grid items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm md:grid-cols-[10rem_minmax(0,1fr)_max-content]">
      <span id={`${id}-name`} className="flex items-center gap-2 font-medium">
        {nameOfJob(job)}
      </span>
      <div className="min-w-0">
        <p className="figures flex flex-wrap items-center gap-x-2 text-ink-soft">
          <Tag tone={tone}>{word}</Tag>
          <span id={`${id}-when`}>
            {attempts > 0 && `${attempts} of ${limit} attempts, `}
            {nextAt ? 'next ' : 'sent '}
            <Moment iso={nextAt ?? createdAt} time />
          </span>
        </p>
        {error && <p className="mt-1 break-words">{error}</p>}
      </div>
      {actions && state !== 'active' && (
        <span className="flex gap-1 max-md:mt-1.5">
          <Button
            size="small"
            {...namedWithJob(id, 'retry')}
            isPending={actions.retrying === id}
            onPress={() => actions.retry(id)}
          >
            Try now
          </Button>
          <Button
            size="small"
            tone="quiet-danger"
            {...namedWithJob(id, 'discard')}
            isPending={actions.discarding === id}
            onPress={onDiscard}
          >
            Discard
          </Button>
        </span>
      )}
    </li>
  )
}

/** The same buttons stand in every row: their names are their words and those of the row. */
const namedWithJob = (job: string, action: 'retry' | 'discard') => {
  const id = `${job}-${action}`
  return { id, 'aria-labelledby': `${id} ${job}-name ${job}-when` }
}
