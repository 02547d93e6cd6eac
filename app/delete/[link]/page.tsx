import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { DeletePage } from '#app/delete/delete-page.tsx'
import { titled } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { callerOfRequest } from '#app/viewer.ts'

export const generateMetadata = async (): Promise<Metadata> => ({
  ...(await titled('deletion.title')()),
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
})

interface Props {
  params: Promise<{ link: string }>
}

/** Loads the image of the link; null if a limit refuses it, so that the page shows the countdown. It deletes nothing, because programs that preview links load it too. */
async function load(link: string) {
  const caller = await callerOfRequest()
  return caller.image.showByLink({ link }).catch((error: unknown) => {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
    if (code === 'TOO_MANY_REQUESTS') return null
    if (code === 'NOT_FOUND' || code === 'BAD_REQUEST') notFound()
    throw error
  })
}

export default async function Page({ params }: Props) {
  const { link } = await params
  return (
    <PageMessages areas={['deletion']}>
      <DeletePage key={link} link={link} initial={await load(link)} />
    </PageMessages>
  )
}
