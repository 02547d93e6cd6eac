'use client'

import { useTranslations } from 'use-intl/react'
import { Select } from '#app/ui/select.tsx'
import type { Finding } from './finding.ts'
import type { FindingState } from './use-finding.ts'
import { keepUsualDate } from './usual-date.ts'

const orders = {
  newest: {},
  oldest: { sort: 'oldest' },
  takenLast: { by: 'taken' },
  takenFirst: { sort: 'oldest', by: 'taken' },
  byTitle: { sort: 'title' },
  largest: { sort: 'largest' },
} as const satisfies Record<string, Omit<Finding, 'query'>>
type Order = keyof typeof orders
const names = ['newest', 'oldest', 'takenLast', 'takenFirst', 'byTitle', 'largest'] as const satisfies readonly Order[]

/** The order of the list. */
export function SortSelect({
  state: { finding, show },
  isLabelHidden = false,
}: {
  state: FindingState
  isLabelHidden?: boolean
}) {
  const t = useTranslations('finding')
  const { query, ...order } = finding
  return (
    <Select
      label={t('sort')}
      isLabelHidden={isLabelHidden}
      value={nameOrder(order)}
      options={names.map((value) => ({ value, label: t(`sorts.${value}`) }))}
      onChange={(name) => {
        const order: Omit<Finding, 'query'> = orders[name]
        if (name !== 'byTitle' && name !== 'largest') keepUsualDate(order.by ?? 'uploaded')
        show({ query, ...order })
      }}
    />
  )
}

function nameOrder({ sort, by }: Omit<Finding, 'query'>): Order {
  if (sort === 'title') return 'byTitle'
  if (sort === 'largest') return sort
  if (by === 'taken') return sort === 'oldest' ? 'takenFirst' : 'takenLast'
  return sort ?? 'newest'
}
