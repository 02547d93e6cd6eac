'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { hasCode } from '#app/limits/message.ts'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { inputClass } from '#app/ui/input-class.ts'
import { toast } from '#app/ui/toast-queue.ts'
import { type TagItem, useTagRefresh } from './use-tags.ts'

type Renamed = Outputs['tag']['rename']

/** Renames a tag. If another one has the name already, asks whether the two become one. */
export function RenameTag({ tag, onClose }: { tag: TagItem; onClose: () => void }) {
  const t = useTranslations('tags')
  const tUi = useTranslations('ui')
  const client = useTRPCClient()
  const refresh = useTagRefresh()
  const [name, setName] = useState(tag.name)
  const [isAsking, setAsking] = useState(false)
  const rename = useMutation<Renamed, Error, 'merge' | 'refuse'>({
    mutationFn: (existing) => client.tag.rename.mutate({ id: tag.id, name, existing }),
    onSuccess: async (renamed) => {
      await refresh()
      onClose()
      const done = renamed.isMerging ? 'merging' : renamed.merged ? 'merged' : 'renamed'
      toast({ title: t(done, { tag: tag.name, name: renamed.name }) })
    },
    onError: (error) => setAsking(hasCode(error, 'CONFLICT')),
  })
  const isHeldBack = useHeldBack(rename.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name.trim() === '' || name === tag.name) onClose()
    else if (!isHeldBack && !rename.isPending) rename.mutate('refuse')
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <input
          dir="auto"
          aria-label={t('rename', { tag: tag.name })}
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
          maxLength={64}
          ref={begin}
          className={`${inputClass} flex-1 basis-28`}
        />
        <Button type="submit" tone="primary" size="small" isPending={rename.isPending} isDisabled={isHeldBack}>
          {t('renameAction')}
        </Button>
        <Button tone="quiet" size="small" onPress={onClose}>
          {tUi('cancel')}
        </Button>
      </div>
      {!hasCode(rename.error, 'CONFLICT') && <FormFailure error={rename.error} />}
      <Confirm
        isOpen={isAsking}
        title={t('mergeTitle', { tag: tag.name, name })}
        action={t('mergeAction')}
        tone="primary"
        onClose={() => setAsking(false)}
        onConfirm={() => rename.mutate('merge')}
      >
        {t('mergeText', { tag: tag.name, name })}
      </Confirm>
    </form>
  )
}

function begin(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
