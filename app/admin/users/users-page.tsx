'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Ticket, UserPlus } from 'lucide-react'
import { useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { late } from '#app/ui/late.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Search } from '#app/ui/search.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { SelectedUsers } from './selected-users.tsx'
import { useUserFilter } from './use-user-filter.ts'
import { useUserSelection } from './use-user-selection.ts'
import { useUserListOptions } from './use-users.ts'
import { mayAdd } from './user-actions.ts'
import { UserDialogs, type UserTask } from './user-dialogs.tsx'
import { UserFilters } from './user-filters.tsx'
import { UserRow } from './user-row.tsx'

const CreateUser = late(() => import('./create-user.tsx'))
const Invites = late(() => import('./invites.tsx'))

export function UsersPage() {
  const t = useTranslations('adminUsers')
  const viewer = useAccount()
  const { filter, typed, setTyped, change, reset } = useUserFilter()
  const query = useInfiniteQuery(useUserListOptions(filter))
  const users = useDeferredValue(query.data?.pages.flatMap(({ items }) => items) ?? [])
  const total = query.data?.pages[0]?.total
  const [open, setOpen] = useState<'create' | 'invite' | null>(null)
  const [task, setTask] = useState<UserTask | null>(null)
  const selection = useUserSelection(users)
  return (
    <div className="mx-auto max-w-5xl px-4 sm:px-6">
      <div className="flex flex-wrap items-center gap-3 py-6">
        <h1 className="mr-auto text-2xl font-semibold tracking-[-0.02em]">
          {t('title')}
          {total !== undefined && <span className="figures ml-2.5 font-normal text-ink-soft">{total}</span>}
        </h1>
        {mayAdd(viewer) && (
          <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
            <Button onPress={() => setOpen('invite')}>
              <Ticket size={17} /> {t('invite')}
            </Button>
            <Button tone="primary" onPress={() => setOpen('create')}>
              <UserPlus size={17} /> {t('createUser')}
            </Button>
          </div>
        )}
      </div>
      <Search label={t('search')} placeholder={t('searchHint')} value={typed} onChange={setTyped} className="mb-2" />
      <UserFilters filter={filter} onChange={change} onReset={reset} />
      {query.isPending && <Skeleton className="h-64 w-full" />}
      {query.isSuccess && users.length === 0 && <p className="py-12 text-center text-ink-soft">{t('none')}</p>}
      {users.length > 0 && (
        <ul aria-label={t('title')} className="divide-y divide-line rounded-lg border border-line bg-surface">
          {users.map((user) => (
            <UserRow
              key={user.id}
              user={user}
              isSelected={viewer.role === 'superadmin' ? selection.isSelected(user.id) : null}
              onSelect={() => selection.toggle(user.id)}
              onTask={(kind) => setTask({ kind, users: [user] })}
            />
          ))}
        </ul>
      )}
      <QueryStanding query={query} />
      <LoadMore
        key={`${JSON.stringify(filter)} ${users.length}`}
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => query.fetchNextPage()}
      />
      <SelectedUsers selection={selection} onQuota={() => setTask({ kind: 'quota', users: selection.selected })} />
      {open === 'create' && <CreateUser onClose={() => setOpen(null)} />}
      {open === 'invite' && <Invites onClose={() => setOpen(null)} />}
      <UserDialogs task={task} onClose={() => setTask(null)} />
    </div>
  )
}
