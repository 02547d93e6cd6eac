'use client'

import { KeyRound } from 'lucide-react'
import { deviceOf } from '#app/account/device.ts'
import { Button } from '#app/ui/button.tsx'
import { Moment } from '#app/ui/moment.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { scopeWords, type TokenItem } from './scope-words.ts'

interface Props {
  token: TokenItem
  isRevoking: boolean
  onRevoke: () => void
}

/** One token: what it may do, how long, and when it last did. */
export function TokenRow({ token, isRevoking, onRevoke }: Props) {
  const { name, ending, createdAt, lastUsedAt, lastUsedBy } = token
  return (
    <li className="flex items-center gap-3 px-3.5 py-3">
      <KeyRound size={20} strokeWidth={1.7} className="shrink-0 text-ink-soft max-sm:hidden" />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="mr-1 wrap-anywhere">{name}</span>
          {scopeWords
            .filter(({ scope }) => token.scopes.includes(scope))
            .map((scope) => (
              <Tag key={scope.scope} tone="plain">
                {scope.name}
              </Tag>
            ))}
        </p>
        <p className="figures text-ink-soft">
          <span className="font-mono text-[0.8125rem]">slu_…{ending}</span> · created <Moment iso={createdAt} />
        </p>
        <p className="figures wrap-anywhere text-ink-soft" title={lastUsedBy ?? undefined}>
          <Expiry at={token.expiresAt} /> ·{' '}
          {lastUsedAt === null ? (
            'never used'
          ) : (
            <>
              last used <Moment iso={lastUsedAt} time /> by{' '}
              {lastUsedBy === null ? 'a program' : deviceOf(lastUsedBy).name}
            </>
          )}
        </p>
      </div>
      <Button tone="quiet-danger" size="small" aria-label={`Revoke ${name}`} isPending={isRevoking} onPress={onRevoke}>
        Revoke
      </Button>
    </li>
  )
}

function Expiry({ at }: { at: string | null }) {
  if (at === null) return 'Never expires'
  if (Date.parse(at) <= Date.now()) return <span className="text-danger">Expired</span>
  return (
    <>
      Expires <Moment iso={at} />
    </>
  )
}
