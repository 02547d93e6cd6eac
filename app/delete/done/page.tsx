import type { Metadata } from 'next'
import { Deleted } from '#app/delete/deleted.tsx'
import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'

export const generateMetadata = async (): Promise<Metadata> => ({
  ...(await titled('deletion.deleted')()),
  robots: { index: false, follow: false },
})

interface Props {
  searchParams: Promise<Readonly<Partial<Record<'until' | 'own' | 'final', string | readonly string[]>>>>
}

/** Where the form of a deletion link leads: the link itself no longer works. */
export default async function Page({ searchParams }: Props) {
  const { until, own, final } = await searchParams
  const isTime = typeof until === 'string' && !Number.isNaN(Date.parse(until))
  return (
    <PageMessages areas={['deletion']}>
      <Deleted
        ownId={typeof own === 'string' ? own : null}
        purgeAt={isTime ? until : null}
        isFinal={final !== undefined}
      />
    </PageMessages>
  )
}
