'use client'

import { useMutation } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useErrorText } from '#app/limits/use-error-text.ts'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { useLimitsData } from '../changes/use-slots.ts'
import { setSummary, targetName, termsSummary } from '../terms-text.ts'

type Plan = Outputs['limits']['import']
type Change = Plan['changes'][number]

interface Props {
  name: string
  content: unknown
  onClose: () => void
}

/** Shows what a file of limits would change, and imports it. */
export default function ImportDialog({ name, content, onClose }: Props) {
  const t = useTranslations('adminAdded')
  const client = useTRPCClient()
  const preview = useMutation({ mutationFn: () => client.limits.import.mutate({ file: content, dryRun: true }) })
  const run = useImport(onClose)
  const begin = useEffectEvent(() => preview.mutate())
  useEffect(() => begin(), [])
  const plan = preview.data
  const changes = plan?.changes.filter(({ change }) => change !== 'keep') ?? []
  const isReady = plan !== undefined && plan.problems.length === 0 && changes.length > 0
  return (
    <Dialog title={t('importTitle', { name })} isOpen onClose={onClose} isWide>
      <div className="flex flex-col gap-4">
        {preview.isPending && <Skeleton className="h-32 w-full" />}
        {plan && plan.problems.length > 0 && <Problems problems={plan.problems} />}
        {plan && plan.problems.length === 0 && (
          <>
            <p className="text-sm">
              {t('importText', { changed: changes.length, kept: plan.changes.length - changes.length })}
            </p>
            <ul aria-label={t('changes')} className="divide-y divide-line rounded-md border border-line empty:hidden">
              {changes.map((change) => (
                <ChangeLine
                  key={[change.ruleSet, change.procedure, JSON.stringify(change.target)].join(' ')}
                  change={change}
                />
              ))}
            </ul>
          </>
        )}
        <FormFailure error={preview.error ?? run.error} />
        <DialogActions>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button tone="primary" isPending={run.isPending} isDisabled={!isReady} onPress={() => run.mutate(content)}>
            {t('importNow')}
          </Button>
        </DialogActions>
      </div>
    </Dialog>
  )
}

/** Imports a file, with an undo that imports what was there before. */
function useImport(onDone: () => void) {
  const t = useTranslations('adminAdded')
  const { client, readList, refresh } = useLimitsData()
  const put = async (file: unknown) => {
    const { changes } = await client.limits.import.mutate({ file, dryRun: false })
    await Promise.all([readList(), refresh()])
    return changes
  }
  const undo = async (before: unknown): Promise<void> => {
    try {
      // A set that was enforced and is not there any more begins in shadow mode; the second time it is known.
      if ((await put(before)).some(({ isShadowed }) => isShadowed)) await put(before)
      toast({ title: t('importUndone') })
    } catch (error) {
      reportFailure(t('importUndoFailed'), error, () => undo(before))
    }
  }
  return useMutation({
    mutationFn: async (file: unknown) => {
      const before = await client.limits.export.query()
      await put(file)
      return before
    },
    onSuccess: (before) => {
      toast({ title: t('imported'), action: { label: t('undo'), run: () => void undo(before) } })
      onDone()
    },
  })
}

function Problems({ problems }: { problems: Plan['problems'] }) {
  const t = useTranslations('adminAdded')
  const sayError = useErrorText()
  return (
    <Notice tone="danger">
      {t('importProblems')}
      <ul className="mt-1 list-disc pl-5">
        {problems.map(({ entry, problem }) => (
          <li key={entry} className="break-words">
            {entry}: {sayError(problem) ?? problem.code}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

const tones = { add: 'water', change: 'gate', remove: 'danger' } as const

function ChangeLine({ change }: { change: Change }) {
  const t = useTranslations('adminAdded')
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  const { ruleSet, procedure, target, before, after, isShadowed } = change
  const describe = (terms: Change['after']) =>
    terms && ('by' in terms ? setSummary(tLimits, format, terms) : termsSummary(tLimits, format, terms))
  const place = target ? targetName(tLimits, target, null, procedure ?? undefined) : procedure
  return (
    <li className="px-3 py-2.5 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        {change.change !== 'keep' && <Tag tone={tones[change.change]}>{t(`changeKind.${change.change}`)}</Tag>}
        <span className="font-medium break-all">{ruleSet}</span>
        <span className="break-all text-ink-soft">{place}</span>
      </p>
      {before && (
        <p className="figures break-words text-ink-soft">{t('wasBefore', { terms: describe(before) ?? '' })}</p>
      )}
      {after && <p className="figures break-words">{describe(after)}</p>}
      {isShadowed && <p className="text-ink-soft">{t('beginsInShadow')}</p>}
    </li>
  )
}
