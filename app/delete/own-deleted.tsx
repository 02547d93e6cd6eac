'use client'

import { useMutation } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import Link from 'next/link'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Blank } from '#app/shell/blank.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { LocalDate } from '#app/ui/moment.tsx'

/** Confirms to the owner that the image is deleted, and restores it. */
export function OwnDeleted({ id, purgeAt }: { readonly id: string; readonly purgeAt: string | null }) {
  const t = useTranslations('deletion')
  const trpc = useTRPC()
  const restore = useMutation(trpc.image.restore.mutationOptions())
  const isHeldBack = useHeldBack(restore.error)
  if (restore.data) return <Restored slug={restore.data.slug} />
  return (
    <Blank
      title={t('ownDeleted')}
      text={
        <>
          {purgeAt === null
            ? t('ownDeletedText')
            : t.rich('ownDeletedUntil', { date: () => <LocalDate iso={purgeAt} /> })}
          <FormFailure error={restore.error} />
        </>
      }
    >
      <Button isPending={restore.isPending} isDisabled={isHeldBack} onPress={() => restore.mutate({ id })}>
        <RotateCcw size={16} /> {t('restore')}
      </Button>
      <Link href="/trash" prefetch={false} className={buttonClass('plain')}>
        {t('toTrash')}
      </Link>
    </Blank>
  )
}

function Restored({ slug }: { readonly slug: string | null }) {
  const t = useTranslations('deletion')
  return (
    <Blank title={t('restored')} text={t('restoredText')}>
      <Link href={slug === null ? '/' : `/image/${slug}`} prefetch={false} className={buttonClass('plain')}>
        {t('toImage')}
      </Link>
    </Blank>
  )
}
