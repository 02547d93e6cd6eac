'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { type AuditItem, readNote } from '#app/audit/acts.ts'
import { Changes } from '#app/audit/changes-table.tsx'
import { ActSentence } from '#app/audit/sentence.tsx'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { describeDevice } from './device.ts'

/** What concerns the viewer's account, newest first. */
export function Activity() {
  const t = useTranslations('audit')
  const client = useTRPCClient()
  const query = useInfiniteQuery({
    queryKey: ['activity'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) =>
      client.audit.mine.query(pageParam === null ? { limit: 10 } : { cursor: pageParam }, { signal }),
    getNextPageParam: ({ nextCursor }) => nextCursor,
    staleTime: 0,
  })
  const items = query.data?.pages.flatMap((page) => page.items) ?? []
  return (
    <div className="flex flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-40 w-full" />}
      {query.isSuccess && items.length === 0 && <p className="text-sm text-ink-soft">{t('mine.none')}</p>}
      {items.length > 0 && (
        <ol
          aria-label={t('mine.title')}
          className="w-full divide-y divide-line rounded-md border border-line bg-surface text-sm"
        >
          {items.map((item) => (
            <ActivityRow key={item.id} item={item} />
          ))}
        </ol>
      )}
      <QueryStanding query={query} />
      {query.hasNextPage && (
        <Button size="small" isPending={query.isFetchingNextPage} onPress={() => query.fetchNextPage()}>
          {t('mine.more')}
        </Button>
      )}
    </div>
  )
}

function ActivityRow({ item }: { item: AuditItem }) {
  const t = useTranslations('audit')
  const tAccount = useTranslations('account')
  const account = useAccount()
  const { address, userAgent, times, at, until } = item
  const note = readNote(item)
  const isOthers = item.actor.id !== null && item.actor.name !== account.username
  return (
    <li className="flex flex-col gap-1 px-3.5 py-2.5">
      <p className="break-words">
        <ActSentence item={item} reader={account} />
        {note && <span className="text-ink-soft"> {t('because', { note: note.slice(0, 200) })}</span>}
      </p>
      <p className="figures flex flex-wrap gap-x-3 break-words text-ink-soft">
        <LocalDate iso={at} time />
        {address !== null && (
          <span>{t('mine.where', { device: describeDevice(userAgent ?? '', tAccount).name, address })}</span>
        )}
        {times > 1 && (
          <span>{t.rich('times', { count: times, time: () => <LocalDate iso={until ?? at} time /> })}</span>
        )}
      </p>
      {isOthers && item.before !== null && <Changes item={item} />}
    </li>
  )
}
