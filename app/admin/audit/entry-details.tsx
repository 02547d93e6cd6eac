'use client'

import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { describeDevice } from '#app/account/device.ts'
import type { AuditItem } from '#app/audit/acts.ts'
import { Changes } from '#app/audit/changes-table.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import type { ShownFilter } from './shown-filter.ts'

/** From where an act came, what it changed, and what else to look at. */
export function EntryDetails({ item, onFilter }: { item: AuditItem; onFilter: (by: ShownFilter) => void }) {
  const t = useTranslations('audit')
  const tAccount = useTranslations('account')
  const { actor, account, action, address, userAgent, token, target, requestId } = item
  const isSeveral = address === null && item.times > 1
  const device = userAgent ? describeDevice(userAgent, tAccount).name : null
  return (
    <div className="flex flex-col gap-4 px-4 pb-4 text-sm md:pl-9">
      <dl className="grid grid-cols-[max-content_minmax(0,1fr)] gap-x-4 gap-y-1">
        <Fact name={t('field.account')}>{account?.name}</Fact>
        <Fact name={t('field.address')}>{isSeveral ? t('severalAddresses') : address}</Fact>
        <Fact name={t('field.device')}>
          {device && (
            <>
              {device} <span className="text-ink-soft">{userAgent}</span>
            </>
          )}
        </Fact>
        <Fact name={t('field.token')}>{token && (token.name || token.id)}</Fact>
        <Fact name={t('field.action')}>{action}</Fact>
        <Fact name={t('field.target')}>{target}</Fact>
        <Fact name={t('field.requestId')}>{requestId}</Fact>
      </dl>
      <Changes item={item} />
      <div className="flex flex-wrap gap-2">
        {actor.id !== null && (
          <Button size="small" onPress={() => onFilter({ actor: actor.name })}>
            {t('show.actor', { name: actor.name })}
          </Button>
        )}
        {account && account.name !== '' && (
          <Button size="small" onPress={() => onFilter({ account: account.name })}>
            {t('show.account', { name: account.name })}
          </Button>
        )}
        {address !== null && (
          <Button size="small" onPress={() => onFilter({ address })}>
            {t('show.address')}
          </Button>
        )}
        {target.includes('/') && (
          <Button size="small" onPress={() => onFilter({ target })}>
            {t('show.target')}
          </Button>
        )}
        <Button size="small" onPress={() => onFilter({ requestId })}>
          {t('show.request')}
        </Button>
        {target.startsWith('image/') && action !== 'image.purge' && (
          <Link href={`/${target}`} prefetch={false} className={buttonClass('plain', 'small')}>
            {t('openImage')}
          </Link>
        )}
        {action.startsWith('user.') && (
          <Link href="/admin/users" prefetch={false} className={buttonClass('plain', 'small')}>
            {t('openUser')}
          </Link>
        )}
        {action.startsWith('limits.') && (
          <Link href="/admin/limits" prefetch={false} className={buttonClass('plain', 'small')}>
            {t('openLimits')}
          </Link>
        )}
      </div>
    </div>
  )
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (!children) return null
  return (
    <>
      <dt className="text-ink-soft">{name}</dt>
      <dd className="min-w-0 break-words">
        <bdi className="wrap-anywhere">{children}</bdi>
      </dd>
    </>
  )
}
