'use client'

import { useRouter } from 'next/navigation'
import { useEffect, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Confirm } from '#app/ui/confirm.tsx'

/** Asks before a link to another page loses changes. Closing the page asks by itself (use-site-edit.ts). */
export function LeaveGuard({ isChanged }: { isChanged: boolean }) {
  const t = useTranslations('admin')
  const router = useRouter()
  const [target, setTarget] = useState<string | null>(null)
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest('a[href]') : null
      if (!(link instanceof HTMLAnchorElement) || link.target === '_blank') return
      if (event.ctrlKey || event.metaKey || event.shiftKey || link.origin !== location.origin) return
      if (link.pathname === location.pathname) return
      event.preventDefault()
      event.stopPropagation()
      setTarget(link.pathname + link.search)
    }
    // Before the link's own handler.
    document.addEventListener('click', ask, { capture: true })
    return () => document.removeEventListener('click', ask, { capture: true })
  }, [isChanged])
  return (
    <Confirm
      isOpen={target !== null}
      title={t('discardTitle')}
      action={t('discard')}
      onClose={() => setTarget(null)}
      onConfirm={() => target && router.push(target)}
    >
      {t('discardText')}
    </Confirm>
  )
}
