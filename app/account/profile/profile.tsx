'use client'

import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { type FormEvent, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Field } from '#app/ui/field.tsx'
import { Notice } from '#app/ui/notice.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { ProfilePage } from './profile-page.tsx'
import { ProfilePicture } from './profile-picture.tsx'

/** What others see of the account: its name and picture. */
export function Profile() {
  const t = useTranslations('profile')
  const { shared } = useAccount()
  if (shared) return <Notice>{t('shared')}</Notice>
  return (
    <div className="flex max-w-sm flex-col gap-6">
      <ProfilePicture />
      <DisplayName />
      <ProfilePage />
    </div>
  )
}

function DisplayName() {
  const t = useTranslations('profile')
  const account = useAccount()
  const router = useRouter()
  const [typed, setTyped] = useState(account.displayName ?? '')
  const options = useTRPC().account.setDisplayName.mutationOptions()
  const undo = useMutation({
    ...options,
    onSuccess: ({ displayName }) => {
      setTyped(displayName ?? '')
      router.refresh()
    },
    onError: (error, input) => reportFailure(t('nameNotSaved'), error, () => undo.mutate(input)),
  })
  const save = useMutation({
    ...options,
    onSuccess: ({ displayName, previous }) => {
      setTyped(displayName ?? '')
      router.refresh()
      const restore = () => undo.mutate({ displayName: previous })
      toast({
        title: t(displayName === null ? 'nameRemoved' : 'nameSaved'),
        action: { label: t('undo'), run: restore },
      })
    },
  })
  const isHeldBack = useHeldBack(save.error)
  const isSame = typed.trim() === (account.displayName ?? '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isSame && !isHeldBack && !save.isPending) save.mutate({ displayName: typed.trim() || null })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <Field
        label={t('name')}
        hint={t('nameHint')}
        value={typed}
        onChange={setTyped}
        autoComplete="nickname"
        maxLength={200}
      />
      <FormFailure error={save.error} />
      <Button type="submit" isPending={save.isPending} isDisabled={isHeldBack || isSame} className="self-start">
        {t('saveName')}
      </Button>
    </form>
  )
}
