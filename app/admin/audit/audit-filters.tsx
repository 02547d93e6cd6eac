'use client'

import { X } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { Field } from '#app/ui/field.tsx'
import { Search } from '#app/ui/search.tsx'
import { Select } from '#app/ui/select.tsx'
import { useTyped } from '#app/ui/use-typed.ts'
import { kinds, periods, type ShownFilter } from './shown-filter.ts'

interface Props {
  filter: ShownFilter
  onChange: (by: ShownFilter) => void
}

const chips = ['address', 'requestId', 'target', 'action'] as const

/** The search and filters of the page; those that are chosen in an entry are shown as chips. */
export function AuditFilters({ filter, onChange }: Props) {
  const t = useTranslations('audit')
  const kindOptions = kinds.map((kind) => ({ value: kind, label: t(`kinds.${kind}`) }))
  const periodOptions = periods.map((days) => ({ value: days, label: t('lastDays', { days: Number(days) }) }))
  const chosen = chips.flatMap((name) => {
    const value = filter[name]
    return value ? [{ name, text: t(`only.${name}`, { value }) }] : []
  })
  const [search, setSearch] = useTyped(filter.search, (text) => onChange({ search: text }))
  const [actor, setActor] = useTyped(filter.actor, (text) => onChange({ actor: text }))
  const [account, setAccount] = useTyped(filter.account, (text) => onChange({ account: text }))
  return (
    <search aria-label={t('filters')} className="mb-4 flex flex-col gap-3">
      <Search label={t('search')} placeholder={t('searchHint')} value={search} onChange={setSearch} />
      <div className="grid grid-cols-2 gap-3 md:grid-cols-4">
        <Select
          label={t('kind')}
          value={filter.kind ?? ''}
          options={[{ value: '', label: t('anyKind') }, ...kindOptions]}
          onChange={(kind) => onChange({ kind })}
        />
        <Select
          label={t('period')}
          value={filter.days ?? ''}
          options={[{ value: '', label: t('anyPeriod') }, ...periodOptions]}
          onChange={(days) => onChange({ days })}
        />
        <Field label={t('by')} placeholder={t('nameHint')} value={actor} onChange={setActor} isVerbatim />
        <Field label={t('about')} placeholder={t('nameHint')} value={account} onChange={setAccount} isVerbatim />
      </div>
      {chosen.length > 0 && (
        <ul className="flex flex-wrap gap-2">
          {chosen.map(({ name, text }) => (
            <li key={name} className="max-w-full">
              <button
                type="button"
                aria-label={t('removeFilter', { filter: text })}
                onClick={() => onChange({ [name]: '' })}
                className="flex min-h-8 max-w-full items-center gap-1.5 rounded-md bg-sunken px-2.5 py-1 text-left text-sm hover:bg-hover"
              >
                <bdi className="min-w-0 wrap-anywhere">{text}</bdi>
                <X size={15} aria-hidden="true" className="shrink-0 text-ink-soft" />
              </button>
            </li>
          ))}
        </ul>
      )}
    </search>
  )
}
