import type { Metadata } from 'next'
import { ConfirmEmailForm } from '#app/entry/confirm-email-form.tsx'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { callerOfRequest } from '#app/viewer.ts'

export const generateMetadata = async (): Promise<Metadata> => ({
  ...(await titled('mailLinks.confirmTitle')()),
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
})

interface Props {
  params: Promise<{ link: string }>
}

/** Returns what the link confirms; null if it cannot be used. */
async function load(link: string) {
  const caller = await callerOfRequest()
  return caller.account.showEmailLink({ link }).catch((error: unknown) => {
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null
    if (code === 'NOT_FOUND' || code === 'BAD_REQUEST') return null
    throw error
  })
}

export default async function Page({ params }: Props) {
  const translate = await translatorOfRequest()
  const { link } = await params
  const shown = await load(link)
  if (!shown) {
    return (
      <Threshold title={translate('signIn.linkInvalidTitle')} lead={translate('mailLinks.linkInvalidText')}>
        <a href="/account#email" className={buttonClass('plain')}>
          {translate('mailLinks.openAccount')}
        </a>
      </Threshold>
    )
  }
  return (
    <Threshold title={translate('mailLinks.confirmTitle')} lead={translate('mailLinks.confirmText', shown)}>
      <PageMessages areas={['mailLinks']}>
        <ConfirmEmailForm link={link} last={await readFailure()} />
      </PageMessages>
    </Threshold>
  )
}
