'use client'

import { X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { IconButton } from './icon-button.tsx'

interface Props {
  title: string
  isOpen: boolean
  onClose: () => void
  /** `alertdialog` for a question that must be answered. */
  role?: 'dialog' | 'alertdialog'
  /** For a form that needs two columns. */
  isWide?: boolean
  /** Whether a press outside closes it. Set it to false if that would lose something. */
  isDismissable?: boolean
  children: ReactNode
}

/** A dialog in the middle of the window, or at the bottom on a phone. */
export function Dialog({ title, isOpen, onClose, role = 'dialog', isWide = false, ...props }: Props) {
  const t = useTranslations('ui')
  const { isDismissable = role === 'dialog', children } = props
  return (
    <ModalOverlay
      isOpen={isOpen}
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
  )
}

export function DialogActions({ children }: { children: ReactNode }) {
  return <div className="mt-1 flex flex-wrap-reverse justify-end gap-2">{children}</div>
}
