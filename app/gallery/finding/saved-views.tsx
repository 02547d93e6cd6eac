'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure } from '#app/limits/form-failure.tsx'
import type { CallFailure } from '#app/limits/message.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { isPlain } from './finding.ts'
import type { FindingState } from './use-finding.ts'
import { type View, ViewLine } from './view-line.tsx'

interface Props {
  state: FindingState
  onClose: () => void
}

/** Searches under names: saves the present one; opens, renames and deletes those that are saved. */
export default function SavedViews({ state, onClose }: Props) {
  const t = useTranslations('finding')
  const { shared } = useAccount()
  const { views, create, rename, remove } = useViews()
  const open = ({ terms: { query = {}, sort, by } }: View) => {
    state.show({ query, sort, by })
    onClose()
  }
  const removeWithUndo = ({ id, name, terms }: View) =>
    remove.mutate(
      { id },
      {
        onSuccess: () =>
          toast({
            title: t('viewDeleted', { name }),
            action: { label: t('undo'), run: () => create.mutate({ name, terms }) },
          }),
        onError: (error) => reportFailure(t('viewNotDeleted', { name }), error),
      },
    )
  return (
    <div className="flex flex-col gap-5">
      {!isPlain(state.finding) && !shared && (
        <SaveForm
          error={create.error}
          isPending={create.isPending}
          onSave={(name) => create.mutate({ name, terms: state.finding })}
        />
      )}
      <QueryStanding query={views} />
      {isPlain(state.finding) && views.data?.items.length === 0 && <p className="text-ink-soft">{t('noViews')}</p>}
      <ul className="-mx-2 flex flex-col">
        {views.data?.items.map((view) => (
          <ViewLine
            key={view.id}
            view={view}
            isEditable={!shared}
            onOpen={() => open(view)}
            onRename={async (name) => void (await rename.mutateAsync({ id: view.id, name }))}
            onDelete={() => removeWithUndo(view)}
          />
        ))}
      </ul>
    </div>
  )
}

function useViews() {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const onSuccess = () => queryClient.invalidateQueries({ queryKey: trpc.view.list.queryKey() })
  return {
    views: useQuery(trpc.view.list.queryOptions()),
    create: useMutation(trpc.view.create.mutationOptions({ onSuccess })),
    rename: useMutation(trpc.view.update.mutationOptions({ onSuccess })),
    remove: useMutation(trpc.view.delete.mutationOptions({ onSuccess })),
  }
}

interface SaveProps {
  error: CallFailure | null
  isPending: boolean
  onSave: (name: string) => void
}

function SaveForm({ error, isPending, onSave }: SaveProps) {
  const t = useTranslations('finding')
  const [name, setName] = useState('')
  const [isChecked, setChecked] = useState(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (name.trim() === '' || isPending) return
    onSave(name)
    setChecked(false)
    setName('')
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Field
        label={t('saveView')}
        placeholder={t('viewName')}
        error={isChecked && name.trim() === '' ? t('viewNameMissing') : null}
        value={name}
        onChange={setName}
        maxLength={64}
        autoComplete="off"
        isRequired
      />
      <FormFailure error={error} />
      <Button type="submit" tone="primary" isPending={isPending} className="self-end">
        {t('save')}
      </Button>
    </form>
  )
}
