'use client'

import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Blank } from '#app/shell/blank.tsx'
import { buttonClass } from '#app/ui/button-class.ts'

interface Props {
  error: Error & { digest?: string }
  reset: () => void
}

/** Shown when a page fails, with the ids to search the server's log for. */
export default function ErrorPage({ error, reset }: Props) {
  const t = useTranslations('shell')
  const [requestId, setRequestId] = useState('')
  useEffect(() => {
    setRequestId(document.querySelector<HTMLMetaElement>('meta[name=request-id]')?.content ?? '')
  }, [])
  const ids = [requestId && t('requestId', { requestId }), error.digest && t('errorIds', { digest: error.digest })]
    .filter(Boolean)
    .join('\n')
  return (
    <Blank
      title={t('errorTitle')}
      text={
        <>
          {t('errorText')}
          {ids && <code className="mt-3 block font-mono text-[0.8125rem] break-all whitespace-pre-line">{ids}</code>}
        </>
      }
    >
      <button type="button" onClick={reset} className={buttonClass('primary')}>
        {t('tryAgain')}
      </button>
      {/* A full page load, because a page that failed may have left the router in any state. */}
      <a href="/" className={buttonClass('plain')}>
        {t('backToImages')}
      </a>
    </Blank>
  )
}
