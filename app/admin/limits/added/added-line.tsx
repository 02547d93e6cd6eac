'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { EntryLine } from '../changes/entry-line.tsx'
import { clearSlot, saveSlot } from '../changes/slot-changes.ts'
import { useAddedSlot } from '../changes/use-added-slot.ts'
import type { AddedSetItem } from '../types.ts'

interface Props {
  item: AddedSetItem
  /** Null for viewers who may not change limits. */
  onEdit: ((item: AddedSetItem) => void) | null
  /** The calls that shadow mode has let pass since the processes began. */
  shadowed: number
}

/** Who added a rule set and why, with what can be done about it. */
export function AddedLine({ item, onEdit, shadowed }: Props) {
  const t = useTranslations('adminAdded')
  const format = useFormat()
  const slotOf = useAddedSlot()
  const { name, procedure, set, problem } = item
  const isInShadow = set?.mode === 'shadow' && !problem
  const enforcing = useEnforcing(item)
  return (
    <EntryLine
      name={t('line', { name, procedure })}
      entry={item}
      apply={isInShadow ? { label: t('enforce'), isPending: enforcing.isPending, run: () => enforcing.mutate() } : null}
      edit={set && onEdit && { label: t('edit'), longLabel: t('editLabel', { name }), run: () => onEdit(item) }}
      remove={
        onEdit && {
          label: t('remove'),
          longLabel: t('removeLabel', { name }),
          run: () => void clearSlot(slotOf({ name, procedure }), item),
        }
      }
    >
      {isInShadow && <p className="figures">{format.sentences([t('inShadow'), t('soFar', { count: shadowed })])}</p>}
    </EntryLine>
  )
}

function useEnforcing(item: AddedSetItem) {
  const t = useTranslations('adminAdded')
  const slotOf = useAddedSlot()
  const { name, procedure, set, note } = item
  const mutation = useMutation({
    mutationFn: async (): Promise<void> => {
      if (!set) return
      const content = { set: { ...set, mode: 'enforce' } as const, note }
      await saveSlot(slotOf({ name, procedure }), content, { shown: item, seen: true })
    },
    onError: (error) => reportFailure(t('applyFailed', { name }), error, () => mutation.mutate()),
  })
  return mutation
}

interface BrokenProps {
  added: readonly AddedSetItem[]
  onEdit: ((item: AddedSetItem) => void) | null
}

/** The added rule sets that are not in effect, and so not among the others. */
export function BrokenSets({ added, onEdit }: BrokenProps) {
  const t = useTranslations('adminAdded')
  const broken = added.filter(({ problem }) => problem)
  return (
    <section aria-label={t('notInEffect')} className="mt-4 flex flex-col gap-2">
      <h3 className="text-sm font-semibold">{t('notInEffect')}</h3>
      {broken.map((item) => (
        <AddedLine key={item.name} item={item} onEdit={onEdit} shadowed={0} />
      ))}
    </section>
  )
}
