'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Check } from '#app/ui/check.tsx'
import { Field } from '#app/ui/field.tsx'
import { toast } from '#app/ui/toast-queue.ts'

type Stored = Outputs['account']['profile']

/** Opens, changes and closes the page that everybody may see of the account. */
export function ProfilePage() {
  const t = useTranslations('profile')
  const own = useQuery(useTRPC().account.profile.queryOptions())
  if (!own.data) return <QueryStanding query={own} />
  return (
    <section className="flex flex-col gap-4 border-t border-line pt-6">
      <h3 className="font-medium">{t('page')}</h3>
      <ProfileForm stored={own.data} />
    </section>
  )
}

const nothing = { isOpen: false, name: '', line: '' }

function ProfileForm({ stored: { profile, address } }: { stored: Stored }) {
  const t = useTranslations('profile')
  const { gallery } = useSession()
  const trpc = useTRPC()
  const client = useQueryClient()
  const saved = profile ?? nothing
  const [typed, setTyped] = useState(saved)
  const [isMissing, setMissing] = useState(false)
  const options = trpc.account.setProfile.mutationOptions({
    onSuccess: ({ previous: _, ...now }) => {
      setTyped(now)
      client.setQueryData(trpc.account.profile.queryKey(), { profile: now, address })
    },
  })
  const undo = useMutation({
    ...options,
    onError: (error, input) => reportFailure(t('pageNotSaved'), error, () => undo.mutate(input)),
  })
  const save = useMutation(options)
  const isHeldBack = useHeldBack(save.error)
  const isSame = typed.isOpen === saved.isOpen && typed.name === saved.name && typed.line === saved.line
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setMissing(typed.name.trim() === '')
    if (isSame || isHeldBack || save.isPending || typed.name.trim() === '') return
    await save.mutateAsync(typed).then(
      ({ previous }) =>
        toast({
          title: t(typed.isOpen ? (previous?.isOpen ? 'pageSaved' : 'pageOpened') : 'pageClosed'),
          ...(previous && { action: { label: t('undo'), run: () => undo.mutate(previous) } }),
        }),
      // Shown in the form.
      () => undefined,
    )
  }
  return (
    <form onSubmit={(event) => void submit(event)} className="flex flex-col gap-4">
      <Check isOn={typed.isOpen} onChange={(isOpen) => setTyped({ ...typed, isOpen })} hint={t('pageHint')}>
        {t('pageOpen')}
      </Check>
      {(typed.isOpen || profile) && (
        <>
          <Field
            label={t('pageName')}
            hint={
              <bdi className="break-all">
                {address}
                {typed.name.trim().toLowerCase() || '…'}
              </bdi>
            }
            error={isMissing ? t('pageNameMissing') : null}
            value={typed.name}
            onChange={(name) => setTyped({ ...typed, name })}
            isVerbatim
            autoComplete="off"
            maxLength={30}
          />
          <Field
            label={t('pageLine')}
            hint={t('pageLineHint')}
            value={typed.line}
            onChange={(line) => setTyped({ ...typed, line })}
            dir="auto"
            maxLength={320}
          />
        </>
      )}
      {typed.isOpen && !gallery && <p className="text-sm text-ink-soft">{t('pageNoGallery')}</p>}
      <FormFailure error={save.error} />
      <div className="flex flex-wrap items-center gap-3">
        <Button type="submit" isPending={save.isPending} isDisabled={isHeldBack || isSame}>
          {t('savePage')}
        </Button>
        {saved.isOpen && gallery && (
          <a href={`/u/${saved.name}`} className="text-sm font-medium text-water hover:underline">
            {t('viewPage')}
          </a>
        )}
      </div>
    </form>
  )
}
