'use client'

import Link from 'next/link'
import { useTranslations } from 'use-intl/react'
import { StorageMeter } from '#app/ui/storage-meter.tsx'
import { useRoom } from './use-room.ts'

/** Explains that the storage quota is used up, and how to free some. */
export function StorageFull() {
  const t = useTranslations('upload')
  const { data: room } = useRoom()
  return (
    <div role="status" className="m-2 flex flex-col gap-2 rounded-md bg-gate-soft px-3 py-2.5 text-sm leading-snug">
      <p>
        {t.rich('storageFull', {
          strong: (text) => <span className="font-semibold">{text}</span>,
          link: (text) => (
            <Link href="/trash" prefetch={false} className="text-water underline underline-offset-4">
              {text}
            </Link>
          ),
        })}
      </p>
      {room && <StorageMeter {...room} />}
    </div>
  )
}
