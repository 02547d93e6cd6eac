'use client'

import { X } from 'lucide-react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { AriaProvider } from './aria-provider.tsx'
import type { DialogProps } from './dialog-props.ts'
import { IconButton } from './icon-button.tsx'

/** A dialog in the middle of the window, or at the bottom on a phone. */
export default function DialogBox({ title, onClose, role = 'dialog', isWide = false, ...props }: DialogProps) {
  const t = useTranslations('ui')
  const { isDismissable = role === 'dialog', children } = props
  return (
    <AriaProvider>
      <ModalOverlay
        isOpen
        onOpenChange={(open) => !open && onClose()}
        isDismissable={isDismissable}
        className="fixed inset-0 z-40 flex h-(--visual-viewport-height) items-end justify-center bg-black/45 entering:animate-fade sm:items-center sm:p-6"
      >
        <Modal
          className={`max-h-full w-full overflow-y-auto rounded-t-lg border border-line bg-raised shadow-raised outline-none entering:animate-enter sm:rounded-lg ${isWide ? 'sm:max-w-3xl' : 'sm:max-w-md'}`}
        >
          <AriaDialog role={role} className="flex flex-col gap-4 p-5 outline-none sm:p-6">
            <div className="flex items-start justify-between gap-4">
              <Heading slot="title" className="pt-0.5 text-lg leading-snug font-semibold break-words">
                {title}
              </Heading>
              <IconButton label={t('close')} onPress={onClose} className="-mt-1 -mr-2">
                <X size={18} />
              </IconButton>
            </div>
            {children}
          </AriaDialog>
        </Modal>
      </ModalOverlay>
    </AriaProvider>
  )
}
