import { useTranslations } from 'use-intl/react'
import type { AddedSetItem } from '../types.ts'
import { AddedLine } from './added-line.tsx'

interface Props {
  added: readonly AddedSetItem[]
  onEdit: ((item: AddedSetItem) => void) | null
}

/** The added rule sets that are not in effect, and so not among the others. */
export function BrokenSets({ added, onEdit }: Props) {
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
