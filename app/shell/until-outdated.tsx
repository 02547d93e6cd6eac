'use client'

import { Component, type ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { Blank } from '#app/shell/blank.tsx'
import { buttonClass } from '#app/ui/button-class.ts'

interface Props {
  children: ReactNode
}

/** Offers to reload the page when a script that it loads late is missing, as after an update of the server. Every other error is
 *  left to the error page. */
export class UntilOutdated extends Component<Props, { isOutdated?: boolean }> {
  override state: { isOutdated?: boolean } = {}

  static getDerivedStateFromError(error: { name?: string } | null) {
    if (error?.name === 'ChunkLoadError') return { isOutdated: true }
    throw error
  }

  override render() {
    return this.state.isOutdated ? <Outdated /> : this.props.children
  }
}

function Outdated() {
  const t = useTranslations('shell')
  return (
    <Blank title={t('outdatedTitle')} text={t('outdatedText')}>
      <button type="button" onClick={() => location.reload()} className={buttonClass('primary')}>
        {t('reload')}
      </button>
    </Blank>
  )
}
