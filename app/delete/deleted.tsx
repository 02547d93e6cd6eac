'use client'

import dynamic from 'next/dynamic'
import { useTranslations } from 'use-intl/react'
import { Blank } from '#app/shell/blank.tsx'
import { useSession } from '#app/shell/session.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { LocalDate } from '#app/ui/moment.tsx'

// Loaded apart: guests need none of its script.
const OwnDeleted = dynamic(() => import('./own-deleted.tsx').then((module) => module.OwnDeleted))

interface Props {
  /** The image's ID for its owner, who can restore it here. */
  readonly ownId: string | null
  /** ISO 8601; null if nothing purges it. */
  readonly purgeAt: string | null
  /** It was a guest's, which nobody can restore. */
  readonly isFinal: boolean
}

/** Confirms a deletion by link. */
export function Deleted({ ownId, purgeAt, isFinal }: Props) {
  const t = useTranslations('deletion')
  const { account } = useSession()
  if (account && ownId !== null) return <OwnDeleted id={ownId} purgeAt={purgeAt} />
  if (isFinal) {
    return (
      <Blank title={t('deleted')} text={t('deletedFinal')}>
        <a href="/" className={buttonClass('plain')}>
          {t('toImages')}
        </a>
      </Blank>
    )
  }
  return (
    <Blank
      title={t('deleted')}
      text={purgeAt === null ? t('deletedText') : t.rich('deletedUntil', { date: () => <LocalDate iso={purgeAt} /> })}
    >
      <a href={account ? '/' : '/trash'} className={buttonClass('plain')}>
        {account ? t('toImages') : t('signInToRestore')}
      </a>
    </Blank>
  )
}
