'use client'

import { useQuery } from '@tanstack/react-query'
import { FingerprintPattern } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useHasPasskeys } from '#app/shell/use-has-passkeys.ts'
import { Button } from '#app/ui/button.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { late } from '#app/ui/late.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { type AddedPasskey, useAddPasskey } from './use-add-passkey.ts'

// Few have one: others load none of it.
const PasskeyList = late(() => import('./passkey-list.tsx'))
const AddedDialog = late(() => import('./added-dialog.tsx'))

/** The account's passkeys, to add, rename and remove. */
export function Passkeys() {
  const t = useTranslations('passkeys')
  const query = useQuery(useTRPC().identity.passkeys.queryOptions())
  const [added, setAdded] = useState<AddedPasskey | null>(null)
  const { data } = query
  return (
    <div className="flex flex-col items-start gap-4">
      {query.isPending && <Skeleton className="h-16 w-full" />}
      <QueryStanding query={query} />
      {data && data.items.length > 0 && (
        <PasskeyList standIn={<Skeleton className="h-16 w-full" />} items={data.items} />
      )}
      {data?.isOff && <Notice>{t('off')}</Notice>}
      {data && !data.isOff && !data.isPossible && <Notice>{t('impossible')}</Notice>}
      {data && !data.isOff && data.isPossible && (
        <>
          {data.items.length === 0 && <None />}
          <Add onAdded={setAdded} />
        </>
      )}
      {added && <AddedDialog added={added} onClose={() => setAdded(null)} />}
    </div>
  )
}

function Add({ onAdded }: { onAdded: (added: AddedPasskey) => void }) {
  const t = useTranslations('passkeys')
  const add = useAddPasskey(onAdded)
  const isHeldBack = useHeldBack(add.error)
  if (!useHasPasskeys()) return <Notice>{t('unsupported')}</Notice>
  return (
    <>
      <FormFailure error={add.error} />
      <Button isPending={add.isPending} isDisabled={isHeldBack} onPress={() => add.mutate()}>
        <FingerprintPattern size={17} /> {t('add')}
      </Button>
    </>
  )
}

function None() {
  const t = useTranslations('passkeys')
  return <EmptyList>{t('none')}</EmptyList>
}
