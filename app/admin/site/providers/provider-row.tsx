'use client'

import { useMutation, useQueryClient } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import type { ListedProvider } from './types.ts'

interface Props {
  provider: ListedProvider
  /** All providers, in order. */
  names: readonly string[]
  isReadOnly: boolean
  onEdit: () => void
}

/** One provider, and what can be done with it. */
export default function ProviderRow({ provider, names, isReadOnly, onEdit }: Props) {
  const t = useTranslations('adminProviders')
  const { label, issuer, isEnabled, linked, hasEnded } = provider
  return (
    <li className="flex flex-col gap-2 px-3.5 py-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        <div className="min-w-0 flex-1 basis-48">
          <p className="font-medium break-words">
            {label}
            {!isEnabled && (
              <span className="ml-2 rounded-sm bg-sunken px-1.5 py-0.5 text-xs text-ink-soft">{t('disabled')}</span>
            )}
          </p>
          <p className="break-all text-ink-soft">{issuer}</p>
          <p className="figures text-ink-soft">{t('linked', { count: linked })}</p>
        </div>
        {!isReadOnly && <Actions provider={provider} names={names} onEdit={onEdit} />}
      </div>
      {hasEnded && <Notice tone="danger">{t('ended')}</Notice>}
    </li>
  )
}

function Actions({ provider: { name, label, linked }, names, onEdit }: Omit<Props, 'isReadOnly'>) {
  const t = useTranslations('adminProviders')
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const [isAsking, setAsking] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.provider.list.queryKey() })
  const order = useMutation(
    trpc.provider.order.mutationOptions({
      onSettled: refresh,
      onError: (error) => reportFailure(t('notMoved'), error),
    }),
  )
  const remove = useMutation(
    trpc.provider.delete.mutationOptions({
      onSuccess: () => {
        toast({ title: t('deleted') })
        return refresh()
      },
      onError: (error) => reportFailure(t('notDeleted'), error, () => remove.mutate({ name })),
    }),
  )
  const at = names.indexOf(name)
  const swapWith = (other: number) => {
    const next = [...names]
    next.splice(at, 1)
    next.splice(other, 0, name)
    order.mutate({ names: next })
  }
  return (
    <div className="flex items-center gap-1">
      {names.length > 1 && (
        <>
          <IconButton
            label={t('up', { provider: label })}
            isDisabled={at === 0 || order.isPending}
            onPress={() => swapWith(at - 1)}
          >
            <ChevronUp size={17} />
          </IconButton>
          <IconButton
            label={t('down', { provider: label })}
            isDisabled={at === names.length - 1 || order.isPending}
            onPress={() => swapWith(at + 1)}
          >
            <ChevronDown size={17} />
          </IconButton>
        </>
      )}
      <Button size="small" aria-label={t('editNamed', { provider: label })} onPress={onEdit}>
        {t('edit')}
      </Button>
      <IconButton
        label={t('deleteNamed', { provider: label })}
        tone="quiet-danger"
        isDisabled={remove.isPending}
        onPress={() => setAsking(true)}
      >
        <Trash2 size={17} />
      </IconButton>
      <Confirm
        isOpen={isAsking}
        title={t('deleteTitle', { provider: label })}
        action={t('deleteAction')}
        onClose={() => setAsking(false)}
        onConfirm={() => remove.mutate({ name })}
      >
        {t('deleteText', { linked })}
      </Confirm>
    </div>
  )
}
