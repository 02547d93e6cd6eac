'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { LocalDate, Remaining } from '#app/ui/moment.tsx'
import { changeWithUndo } from '../../change-with-undo.ts'
import { clearSlot, saveSlot } from '../changes/slot.ts'
import { useLimitsData, useOverrideSlot } from '../changes/use-slots.ts'
import { SetLink } from '../set-link.tsx'
import { Counted, Thing } from '../subjects/counted.tsx'
import { argumentText, countedText } from '../subjects/subject-text.ts'
import { targetName } from '../terms-text.ts'
import type { BlockItem } from '../types.ts'

/** Returns a function that says in words whom or what a block is of. */
export function useBlockName(): (block: BlockItem) => string {
  const tLimits = useTranslations('adminLimits')
  return ({ id, subject, argument, target, procedure }) => {
    if (subject) return countedText(tLimits, subject, argument)
    if (argument) return argumentText(tLimits, argument)
    return target ? targetName(tLimits, target, null, procedure ?? undefined) : id
  }
}

/** One block: who or what is blocked from what, why, until when, and by whom. */
export function BlockLine({ block }: { block: BlockItem }) {
  const t = useTranslations('adminBlocks')
  const name = useBlockName()(block)
  const lift = useLift(block, name)
  const { kind, subject, argument, ruleSet, policy, note } = block
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 px-4 py-2.5 text-sm md:grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex flex-wrap items-center gap-x-2">
          {subject ? (
            <Counted subject={subject} argument={argument} />
          ) : argument ? (
            <Thing argument={argument} />
          ) : (
            <span className="font-medium break-all">{name}</span>
          )}
          {ruleSet === null ? (
            <span className="text-ink-soft">{t('fromEverything')}</span>
          ) : (
            <SetLink name={ruleSet}>{t('from', { ruleSet })}</SetLink>
          )}
        </p>
        <p className="break-words text-ink-soft">{t(`why.${kind}`, { policy: policy ?? '' })}</p>
      </div>
      <div className="min-w-0 max-md:col-span-2 max-md:row-start-2">
        <Until block={block} />
        {note && <p className="break-words">“{note}”</p>}
        <Made block={block} />
      </div>
      <Button
        size="small"
        className="max-md:col-start-2 max-md:row-start-1"
        aria-label={t('liftLabel', { name })}
        isPending={lift.isPending}
        onPress={() => lift.mutate()}
      >
        {t('lift')}
      </Button>
    </li>
  )
}

function Until({ block: { until } }: { block: BlockItem }) {
  const t = useTranslations('adminBlocks')
  if (until === null) return <p className="font-medium">{t('untilLifted')}</p>
  return (
    <p className="figures font-medium">
      {t.rich('until', { date: () => <LocalDate iso={until} time /> })}{' '}
      <span className="font-normal text-ink-soft">
        <Remaining iso={until} />
      </span>
    </p>
  )
}

function Made({ block: { since, by } }: { block: BlockItem }) {
  const t = useTranslations('adminBlocks')
  if (since === null) return null
  const date = () => <LocalDate iso={since} time />
  return (
    <p className="figures text-ink-soft">
      {by === null ? t.rich('madeAt', { date }) : t.rich('madeBy', { username: by, date })}
    </p>
  )
}

/** Lifts a block of any kind, with an undo where what it was can be put back. */
function useLift(block: BlockItem, name: string) {
  const t = useTranslations('adminBlocks')
  const tAdmin = useTranslations('admin')
  const { client, refresh } = useLimitsData()
  const liftOverride = useLiftOverride(block)
  const { kind, id, note } = block
  const done = () => t('lifted', { name })
  const lift = () => {
    if (kind === 'override') return liftOverride()
    if (kind === 'rule')
      return changeWithUndo(tAdmin, { refresh, done, run: () => client.limits.reset.mutate({ key: id }) })
    if (kind === 'ban') return changeWithUndo(tAdmin, { refresh, done, run: () => client.user.unban.mutate({ id }) })
    return changeWithUndo(tAdmin, {
      ...{ refresh, done },
      run: () => client.access.removeRule.mutate({ cidr: id }),
      undo: () => client.access.setRule.mutate({ cidr: id, verdict: 'deny', ...(note && { note }) }),
    })
  }
  const mutation = useMutation({
    mutationFn: lift,
    onError: (error) => reportFailure(t('liftFailed', { name }), error, () => mutation.mutate()),
  })
  return mutation
}

/** Returns a function that takes the block out of its override, and clears an override that says nothing else. */
function useLiftOverride({ ruleSet, procedure, target, subject }: BlockItem) {
  const slotOf = useOverrideSlot()
  const { refresh } = useLimitsData()
  return async (): Promise<void> => {
    if (ruleSet === null || target === null) return
    const place = { ruleSet, target, subjectName: subject?.name ?? null, ...(procedure !== null && { procedure }) }
    const slot = slotOf(place)
    const shown = await slot.read()
    if (shown?.terms) {
      const { blockedUntil: _, ...terms } = shown.terms
      if (Object.keys(terms).length === 0) await clearSlot(slot, shown)
      else await saveSlot(slot, { terms, note: shown.note }, { shown, seen: true })
    }
    await refresh()
  }
}
