'use client'

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  UNSTABLE_Toast as AriaToast,
  Text,
  UNSTABLE_ToastContent as ToastContent,
  UNSTABLE_ToastRegion as ToastRegion,
} from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { AriaIconButton } from './aria-icon-button.tsx'
import { AriaProvider } from './aria-provider.tsx'
import { Button } from './button.tsx'
import { dismiss, queue } from './toast-queue.ts'

/** The area for toasts: above the tab bar on phones, otherwise at the lower left. */
export default function ToastArea() {
  const t = useTranslations('ui')
  return (
    <AriaProvider>
      <ToastRegion
        queue={queue}
        className="fixed inset-x-3 bottom-20 z-50 flex flex-col gap-2 outline-none sm:inset-x-auto sm:bottom-5 sm:left-5 sm:w-96"
      >
        {({ toast }) => (
          <AriaToast
            toast={toast}
            className="flex items-center gap-2 rounded-lg border border-line bg-raised py-2 pr-2 pl-4 shadow-raised animate-enter"
          >
            <ToastContent className="min-w-0 flex-1 py-1 text-sm leading-snug">
              <Text slot="title" className="block break-words">
                {toast.content.title}
              </Text>
              {toast.content.body}
            </ToastContent>
            {toast.content.action && <Act {...toast.content.action} onDone={() => dismiss(toast.key)} />}
            <AriaIconButton slot="close" label={t('dismiss')}>
              <X size={16} />
            </AriaIconButton>
          </AriaToast>
        )}
      </ToastRegion>
    </AriaProvider>
  )
}

function Act({ label, run, onDone }: { label: ReactNode; run: () => void; onDone: () => void }) {
  const press = () => {
    onDone()
    run()
  }
  return (
    <Button tone="link" size="small" onPress={press}>
      {label}
    </Button>
  )
}
