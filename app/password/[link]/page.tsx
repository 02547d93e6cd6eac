import type { Metadata } from 'next'
import { readFailure } from '#app/entry/failure-cookie.ts'
import { SetPasswordForm } from '#app/entry/set-password-form.tsx'
import { titled, translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Threshold } from '#app/shell/threshold.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { callerOfRequest } from '#app/viewer.ts'

export const generateMetadata = async (): Promise<Metadata> => ({
  ...(await titled('signIn.titlePassword')()),
  referrer: 'no-referrer',
  robots: { index: false, follow: false },
})

interface Props {
  params: Promise<{ link: string }>
}

/** Returns whose password the link sets; null if it cannot be used. It uses nothing up, because programs that preview links load
 *  the page too. */
async function load(link: string) {
  const caller = await callerOfRequest()
  return caller.account.showByLink({ link }).catch((error: unknown) => {
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
      <Threshold title={translate('signIn.linkInvalidTitle')} lead={translate('signIn.linkInvalidText')}>
        <a href="/signin" className={buttonClass('plain')}>
          {translate('signIn.signInInstead')}
        </a>
      </Threshold>
    )
  }
  const { username, createdBy, isMailed } = shown
  return (
    <Threshold title={translate('signIn.linkTitle', { username })} lead={translate('signIn.linkText')}>
      <PageMessages areas={['credentials']}>
        <SetPasswordForm {...{ link, username, createdBy, isMailed }} last={await readFailure()} />
      </PageMessages>
    </Threshold>
  )
}
