'use client'

import { useTranslations } from 'use-intl/react'
import type { Outputs } from '#app/connection/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { jobName } from './job-text.ts'
import type { JobActions } from './use-job-actions.ts'
import { useJobError } from './use-job-error.ts'

export type JobItem = Outputs['job']['list']['items'][number]

const tones = { waiting: 'plain', active: 'water', retrying: 'gate', failed: 'danger' } as const

interface Props {
  job: JobItem
  /** Null for viewers who may not change jobs. */
  actions: JobActions | null
  onDiscard: () => void
}

/** A job with its last error and buttons to retry and discard it. */
export function JobRow({ job, actions, onDiscard }: Props) {
  const { id, state, attempts, limit, nextAt, createdAt } = job
  const error = useJobError()(job)
  const t = useTranslations('adminJobs')
  const when = `${nextAt ? 'next' : 'queued'}${attempts > 0 ? 'After' : ''}` as const
  const time = () => <LocalDate iso={nextAt ?? createdAt} time />
  return (
    <li className="grid items-center gap-x-4 gap-y-1 px-4 py-2.5 text-sm md:grid-cols-[10rem_minmax(0,1fr)_max-content]">
      <span id={`${id}-name`} className="flex items-center gap-2 font-medium">
        {jobName(t, job)}
      </span>
      <div className="min-w-0">
        <p className="figures flex flex-wrap items-center gap-x-2 text-ink-soft">
          <Tag tone={tones[state]}>{t(`state.${state}`)}</Tag>
          <span id={`${id}-when`}>{t.rich(`when.${when}`, { attempts, limit, time })}</span>
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
            {t('retry')}
          </Button>
          <Button
            size="small"
            tone="quiet-danger"
            {...namedWithJob(id, 'discard')}
            isPending={actions.discarding === id}
            onPress={onDiscard}
          >
            {t('discard')}
          </Button>
        </span>
      )}
    </li>
  )
}

/** Every row has the same buttons: their accessible names include the row's text. */
const namedWithJob = (job: string, action: 'retry' | 'discard') => {
  const id = `${job}-${action}`
  return { id, 'aria-labelledby': `${id} ${job}-name ${job}-when` }
}
