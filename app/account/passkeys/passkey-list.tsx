'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FingerprintPattern } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { forgetPasskey } from '#app/shell/passkeys.ts'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { LocalDate } from '#app/ui/moment.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { Tag } from '#app/ui/tag.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { NameForm } from './name-form.tsx'

type Item = Outputs['identity']['passkeys']['items'][number]

/** The account's passkeys. */
export default function PasskeyList({ items }: { items: readonly Item[] }) {
  const t = useTranslations('passkeys')
  return (
    <ul aria-label={t('title')} className="w-full divide-y divide-line rounded-md border border-line bg-surface">
      {items.map((item) => (
        <PasskeyRow key={item.id} passkey={item} />
      ))}
    </ul>
  )
}

function PasskeyRow({ passkey }: { passkey: Item }) {
  const t = useTranslations('passkeys')
  const { id, name, isBackedUp, createdAt, lastUsedAt, worksAt } = passkey
  const [asking, setAsking] = useState<'rename' | 'remove' | null>(null)
  const close = () => setAsking(null)
  const remove = useRemoval(name)
  return (
    <li className="flex gap-3 px-3.5 py-3">
      <FingerprintPattern size={20} strokeWidth={1.7} className="mt-0.5 shrink-0 text-ink-soft" />
      <div className="flex min-w-0 flex-1 flex-col gap-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-medium">
          <span className="wrap-anywhere">{name}</span>
          {isBackedUp && <Tag tone="plain">{t('backedUp')}</Tag>}
        </p>
        <p className="figures text-ink-soft">
          {t.rich(lastUsedAt ? 'used' : 'unused', {
            added: () => <LocalDate iso={createdAt} />,
            used: () => lastUsedAt && <LocalDate iso={lastUsedAt} time />,
          })}
        </p>
        {worksAt !== null && <Notice tone="danger">{t('elsewhere', { host: worksAt })}</Notice>}
        <div className="-ml-3 flex flex-wrap gap-1">
          <Button tone="quiet" size="small" aria-label={t('renameNamed', { name })} onPress={() => setAsking('rename')}>
            {t('rename')}
          </Button>
          <Button
            tone="quiet-danger"
            size="small"
            aria-label={t('removeNamed', { name })}
            isPending={remove.isPending}
            onPress={() => setAsking('remove')}
          >
            {t('remove')}
          </Button>
        </div>
      </div>
      <Dialog title={t('renameTitle')} isOpen={asking === 'rename'} onClose={close}>
        <NameForm passkey={passkey} onDone={close} onCancel={close} />
      </Dialog>
      <Confirm
        isOpen={asking === 'remove'}
        title={t('removeTitle', { name })}
        action={t('remove')}
        onClose={close}
        onConfirm={() => remove.mutate({ id })}
      >
        {t('removeText')}
      </Confirm>
    </li>
  )
}

function useRemoval(name: string) {
  const t = useTranslations('passkeys')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const remove = useMutation(
    trpc.identity.removePasskey.mutationOptions({
      onSuccess: (removed) => {
        toast({ title: t('removed', { name }) })
        void forgetPasskey(removed)
        return queryClient.invalidateQueries({ queryKey: trpc.identity.pathKey() })
      },
      onError: (error, input) => reportFailure(t('notRemoved'), error, () => remove.mutate(input)),
    }),
  )
  return remove
}
