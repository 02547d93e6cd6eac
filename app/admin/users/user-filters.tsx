'use client'

import { useTranslations } from 'use-intl/react'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Select } from '#app/ui/select.tsx'
import { type FilterName, filterNames, filters, type UserFilter } from './user-filter.ts'

interface Props {
  filter: UserFilter
  onChange: (name: FilterName, value: string | undefined) => void
  onReset: () => void
}

/** Lists that narrow and sort the accounts. Users of a shared account do not see when others were there. */
export function UserFilters({ filter, onChange, onReset }: Props) {
  const t = useTranslations('adminUsers')
  const { shared } = useAccount()
  const shown = filterNames.filter((name) => !(shared && name === 'seen'))
  const isFiltered = shown.some((name) => name !== 'sort' && filter[name] !== undefined)
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      {shown.map((name) => (
        <div key={name} className={`w-40 max-sm:w-[calc(50%-0.25rem)] ${name === 'sort' ? 'sm:ml-auto' : ''}`}>
          <Select
            label={t(`filter.${name}`)}
            isLabelHidden
            value={filter[name] ?? ''}
            options={[
              { value: '', label: t(`filterAny.${name}`) },
              ...filters[name]
                .filter((value) => !(shared && (value === 'never' || value === 'seen')))
                .map((value) => ({ value, label: t(`filters.${value}`) })),
            ]}
            onChange={(value) => onChange(name, value || undefined)}
          />
        </div>
      ))}
      {isFiltered && (
        <Button tone="quiet" size="small" onPress={onReset}>
          {t('filterReset')}
        </Button>
      )}
    </div>
  )
}
