'use client'

import { useMutation } from '@tanstack/react-query'
import { RotateCcw } from 'lucide-react'
import Link from 'next/link'
import type { ReactNode } from 'react'
import { type Outputs, useTRPC } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Blank } from '#app/shell/blank.tsx'
import { useSession } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { Moment } from '#app/ui/moment.tsx'

type Deletion = Outputs['image']['deleteByLink']

/** What became of an image that was deleted by its link, and the way back for its owner. */
export function Deleted({ deletion: { ownId, purgeAt } }: { readonly deletion: Deletion }) {
  const { account } = useSession()
  if (ownId !== null) return <OwnDeleted id={ownId} purgeAt={purgeAt} />
  return (
    <Blank
      title="The image is deleted"
      text={
        <>
          Its addresses and this link lead nowhere now. <Restorable by="Its owner" purgeAt={purgeAt} />
        </>
      }
    >
      <Link href={account ? '/' : '/trash'} prefetch={false} className={buttonClass('plain')}>
        {account ? 'To the images' : 'Sign in to restore it'}
      </Link>
    </Blank>
  )
}

function OwnDeleted({ id, purgeAt }: { readonly id: string; readonly purgeAt: string | null }) {
  const trpc = useTRPC()
  const restore = useMutation(trpc.image.restore.mutationOptions())
  const isHeldBack = useHeldBack(restore.error)
  if (restore.data) return <Restored slug={restore.data.slug} />
  return (
    <Blank
      title="Your image is in the trash"
      text={
        <>
          Its addresses work for nobody else, and this link is used up. <Restorable by="You" purgeAt={purgeAt} />
          <FormFailure error={restore.error} />
        </>
      }
    >
      <Button isPending={restore.isPending} isDisabled={isHeldBack} onPress={() => restore.mutate({ id })}>
        <RotateCcw size={16} /> Restore
      </Button>
      <Link href="/trash" prefetch={false} className={buttonClass('plain')}>
        To the trash
      </Link>
    </Blank>
  )
}

function Restored({ slug }: { readonly slug: string | null }) {
  return (
    <Blank title="Your image is back" text="Its addresses work as before. The link that deleted it does not.">
      <Link href={slug === null ? '/' : `/image/${slug}`} prefetch={false} className={buttonClass('plain')}>
        To the image
      </Link>
    </Blank>
  )
}

/** By whom an image may be restored, and for how long. */
function Restorable({ by, purgeAt }: { readonly by: string; readonly purgeAt: string | null }): ReactNode {
  if (purgeAt === null) return <>{by} can restore it for as long as it lies in the trash.</>
  return (
    <>
      {by} can restore it until <Moment iso={purgeAt} />; then it is removed for good.
    </>
  )
}
