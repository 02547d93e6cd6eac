'use client'

import { KeyRound } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { describeDevice } from '#app/account/device.ts'
import { Button } from '#app/ui/button.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { scopes, type TokenItem } from './scopes.ts'

interface Props {
  token: TokenItem
  isRevoking: boolean
  onRevoke: () => void
}

/** A token with its scopes, expiry and last use. */
export function TokenRow({ token, isRevoking, onRevoke }: Props) {
  const t = useTranslations('tokens')
  const { name, ending, createdAt, lastUsedBy } = token
  return (
    <li className="flex items-center gap-3 px-3.5 py-3">
      <KeyRound size={20} strokeWidth={1.7} className="shrink-0 text-ink-soft max-sm:hidden" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="mr-1 wrap-anywhere">{name}</span>
          {scopes
            .filter((scope) => token.scopes.includes(scope))
            .map((scope) => (
              <Tag key={scope} tone="plain">
                {t(`scope.${scope}`)}
              </Tag>
            ))}
        </p>
        <p className="figures text-ink-soft">
          {t.rich('createdAt', {
            ending,
            token: (text) => <span className="font-mono text-[0.8125rem]">{text}</span>,
            date: () => <LocalDate iso={createdAt} />,
          })}
        </p>
        <p className="figures wrap-anywhere text-ink-soft" title={lastUsedBy ?? undefined}>
          <Expiry at={token.expiresAt} /> · <LastUse token={token} />
        </p>
      </div>
      <Button
        tone="quiet-danger"
        size="small"
        aria-label={t('revokeNamed', { name })}
        isPending={isRevoking}
        onPress={onRevoke}
      >
        {t('revoke')}
      </Button>
    </li>
  )
}

function Expiry({ at }: { at: string | null }) {
  const t = useTranslations('tokens')
  if (at === null) return t('neverExpires')
  if (Date.parse(at) <= Date.now()) return <span className="text-danger">{t('expired')}</span>
  return t.rich('expires', { date: () => <LocalDate iso={at} /> })
}

function LastUse({ token: { lastUsedAt, lastUsedBy } }: { token: TokenItem }) {
  const t = useTranslations('tokens')
  const accountT = useTranslations('account')
  if (lastUsedAt === null) return t('neverUsed')
  const program = lastUsedBy === null ? t('unknownProgram') : describeDevice(lastUsedBy, accountT).name
  return t.rich('lastUsed', { program, date: () => <LocalDate iso={lastUsedAt} time /> })
}
