'use client'

import { useMutation, useQuery } from '@tanstack/react-query'
import { ImageOff, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { notFound } from 'next/navigation'
import { useTranslations } from 'use-intl/react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { toPath } from '#app/shell/safe-path.ts'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { Deleted } from './deleted.tsx'

type Deletable = Outputs['image']['showByLink']

interface Props {
  readonly link: string
  /** Null if a limit refused it on the server; then it is loaded here after the wait. */
  readonly initial: Deletable | null
}

/** Asks a visitor with a deletion link whether to delete the image. */
export function DeletePage({ link, initial }: Props) {
  const trpc = useTRPC()
  const query = useQuery({
    ...trpc.image.showByLink.queryOptions({ link }),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: initial === null,
  })
  const image = initial ?? query.data
  if (image) return <Question link={link} image={image} />
  if (query.error?.data?.code === 'NOT_FOUND') notFound()
  return (
    <div className="mx-auto flex max-w-md flex-col gap-4 p-4 sm:p-6">
      <QueryStanding query={query} />
      <Skeleton className="h-64" />
    </div>
  )
}

function Question({ link, image }: { readonly link: string; readonly image: Deletable }) {
  const t = useTranslations('deletion')
  const trpc = useTRPC()
  const deletion = useMutation(trpc.image.deleteByLink.mutationOptions())
  const isHeldBack = useHeldBack(deletion.error)
  const { trashDays } = image
  if (deletion.isSuccess) return <Deleted deletion={deletion.data} />
  return (
    <div className="mx-auto flex min-h-[70vh] max-w-md flex-col justify-center gap-6 px-6 py-10">
      <Thumbnail image={image} />
      <div className="flex flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">{t('question')}</h1>
        <p className="text-ink-soft">
          {trashDays === 0 ? t('questionText') : t('questionTextDays', { days: trashDays })}
        </p>
      </div>
      <FormFailure error={deletion.error} />
      <div className="flex flex-wrap gap-2">
        <Button
          tone="danger"
          isPending={deletion.isPending}
          isDisabled={isHeldBack}
          onPress={() => deletion.mutate({ link })}
        >
          <Trash2 size={16} /> {t('delete')}
        </Button>
        <Link href="/" prefetch={false} className={buttonClass('plain')}>
          {t('keep')}
        </Link>
      </div>
    </div>
  )
}

function Thumbnail({ image }: { readonly image: Deletable }) {
  const t = useTranslations('deletion')
  const { thumbnailUrl, title, width, height } = image
  if (thumbnailUrl === null) {
    return (
      <div className="flex items-center gap-3 rounded-md bg-sunken p-4 text-sm text-ink-soft">
        <ImageOff size={20} className="shrink-0" /> {t('isPrivate')}
      </div>
    )
  }
  return (
    <figure className="flex flex-col gap-2">
      <img
        src={toPath(thumbnailUrl)}
        alt={title ?? ''}
        width={width}
        height={height}
        className="checks max-h-72 w-auto self-start rounded-md object-contain shadow-raised"
      />
      {title && <figcaption className="truncate text-sm text-ink-soft">{title}</figcaption>}
    </figure>
  )
}
