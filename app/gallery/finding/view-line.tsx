'use client'

import { useMutation } from '@tanstack/react-query'
import { Pencil, Trash2 } from 'lucide-react'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { Outputs } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { inputClass } from '#app/ui/input-class.ts'

export type View = Outputs['view']['list']['items'][number]

interface Props {
  view: View
  /** A shared account keeps its searches as they are. */
  isEditable: boolean
  onOpen: () => void
  onRename: (name: string) => Promise<void>
  onDelete: () => void
}

/** A saved search, which is opened by its name; renamed in place, and deleted. */
export function ViewLine({ view, isEditable, onOpen, onRename, onDelete }: Props) {
  const t = useTranslations('finding')
  const [isRenaming, setRenaming] = useState(false)
  const [returnsFocus, setReturnsFocus] = useState(false)
  const { name } = view
  const close = () => {
    setRenaming(false)
    setReturnsFocus(true)
  }
  if (isRenaming) {
    return (
      <li className="px-2 py-1">
        <RenameView name={name} onRename={onRename} onClose={close} />
      </li>
    )
  }
  return (
    <li className="flex items-center gap-1">
      <Button tone="quiet" onPress={onOpen} className="min-w-0 flex-1 shrink! justify-start! px-2!">
        <bdi className="truncate">{name}</bdi>
      </Button>
      {isEditable && (
        <>
          <IconButton label={t('renameView', { name })} autoFocus={returnsFocus} onPress={() => setRenaming(true)}>
            <Pencil size={16} />
          </IconButton>
          <IconButton label={t('deleteView', { name })} tone="quiet-danger" onPress={onDelete}>
            <Trash2 size={16} />
          </IconButton>
        </>
      )}
    </li>
  )
}

interface RenameProps extends Pick<Props, 'onRename'> {
  name: string
  onClose: () => void
}

function RenameView({ name, onRename, onClose }: RenameProps) {
  const t = useTranslations('finding')
  const tUi = useTranslations('ui')
  const [text, setText] = useState(name)
  const rename = useMutation<void, Error>({ mutationFn: () => onRename(text.trim()), onSuccess: onClose })
  const isHeldBack = useHeldBack(rename.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || text.trim() === name) onClose()
    else if (!isHeldBack && !rename.isPending) rename.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <input
          dir="auto"
          aria-label={t('renameView', { name })}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            // The dialog around it stays.
            event.preventDefault()
            event.stopPropagation()
            onClose()
          }}
          maxLength={64}
          autoComplete="off"
          ref={begin}
          className={`${inputClass} flex-1 basis-40`}
        />
        <Button type="submit" tone="primary" size="small" isPending={rename.isPending} isDisabled={isHeldBack}>
          {t('rename')}
        </Button>
        <Button tone="quiet" size="small" onPress={onClose}>
          {tUi('cancel')}
        </Button>
      </div>
      <FormFailure error={rename.error} />
    </form>
  )
}

function begin(field: HTMLInputElement | null): void {
  field?.focus()
  field?.select()
}
