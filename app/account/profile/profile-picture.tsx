'use client'

import { useMutation } from '@tanstack/react-query'
import { ImageUp } from 'lucide-react'
import { useRouter } from 'next/navigation'
import { useRef } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Avatar } from '#app/ui/avatar.tsx'
import { Button } from '#app/ui/button.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { sendPicture } from './send-picture.ts'

const TYPES = 'image/jpeg,image/png,image/gif,image/webp,image/avif'

/** The picture of the account, with buttons to choose another one and to remove it. */
export function ProfilePicture() {
  const t = useTranslations('profile')
  const account = useAccount()
  const router = useRouter()
  const client = useTRPCClient()
  const change = useMutation({
    mutationFn: async (file: File | null) => {
      if (file) await sendPicture(file)
      else await client.account.removePicture.mutate()
    },
    onSuccess: (_, file) => {
      router.refresh()
      toast({ title: t(file ? 'pictureSaved' : 'pictureRemoved') })
    },
  })
  const isHeldBack = useHeldBack(change.error)
  const input = useRef<HTMLInputElement>(null)
  const choose = (field: HTMLInputElement) => {
    const file = field.files?.[0]
    // The same file can be chosen again.
    field.value = ''
    if (file) change.mutate(file)
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-center gap-4">
        <Avatar
          name={account.displayName ?? account.username}
          picture={account.picture}
          className={`size-20 text-2xl ${change.isPending ? 'animate-pulse' : ''}`}
        />
        <div className="flex flex-wrap gap-2">
          <input
            ref={input}
            type="file"
            accept={TYPES}
            hidden
            onChange={({ currentTarget }) => choose(currentTarget)}
          />
          <Button
            isPending={change.isPending && change.variables !== null}
            isDisabled={isHeldBack}
            onPress={() => input.current?.click()}
          >
            <ImageUp size={17} /> {t('choosePicture')}
          </Button>
          {account.picture && (
            <Button
              tone="quiet"
              isPending={change.isPending && change.variables === null}
              onPress={() => change.mutate(null)}
            >
              {t('removePicture')}
            </Button>
          )}
        </div>
      </div>
      <p className="text-sm text-ink-soft">{t('pictureHint')}</p>
      <FormFailure error={change.error} />
    </div>
  )
}
