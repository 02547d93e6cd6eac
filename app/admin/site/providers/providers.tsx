'use client'

import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { late } from '#app/ui/late.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Section } from '../sections.tsx'
import type { ListedProvider } from './types.ts'

// Few sites have one: others load neither.
const ProviderRow = late(() => import('./provider-row.tsx'))
const ProviderDialog = late(() => import('./provider-dialog.tsx'))

/** How often the providers are reloaded: other superadmins may change them. */
const LIST_MS = 15_000

/** The OpenID providers by which people sign in. */
export function Providers({ isReadOnly }: { isReadOnly: boolean }) {
  const t = useTranslations('adminProviders')
  const trpc = useTRPC()
  const query = useQuery(trpc.provider.list.queryOptions(undefined, { refetchInterval: LIST_MS }))
  /** The provider that is edited; 'new' for one that is added. */
  const [edited, setEdited] = useState<ListedProvider | 'new' | null>(null)
  const { data } = query
  return (
    <Section title={t('title')} lead={t('lead')}>
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {data && data.items.length === 0 && <EmptyList>{t('none')}</EmptyList>}
      {data && data.items.length > 0 && (
        <ul aria-label={t('title')} className="divide-y divide-line rounded-md border border-line bg-surface">
          {data.items.map((provider) => (
            <ProviderRow
              standIn={<li className="h-16" />}
              key={provider.name}
              provider={provider}
              names={data.items.map(({ name }) => name)}
              isReadOnly={isReadOnly}
              onEdit={() => setEdited(provider)}
            />
          ))}
        </ul>
      )}
      {data && !isReadOnly && (
        <Button className="self-start" onPress={() => setEdited('new')}>
          <Plus size={17} /> {t('add')}
        </Button>
      )}
      {data && edited && (
        <ProviderDialog known={edited === 'new' ? null : edited} site={data} onClose={() => setEdited(null)} />
      )}
    </Section>
  )
}
