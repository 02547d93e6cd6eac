import type { Metadata } from 'next'
import { headers } from 'next/headers'
import { redirect } from 'next/navigation'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { Blank } from '#app/shell/blank.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { siteOfRequest, viewerOfRequest } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'
import { GuestUpload } from './guest/guest-upload.tsx'

export async function generateMetadata(): Promise<Metadata> {
  const translate = await translatorOfRequest()
  return { title: translate('guestUpload.title'), referrer: 'no-referrer', robots: { index: false } }
}

/** Where guests upload, if the site lets them. Users upload from every page. */
export default async function Page() {
  const [viewer, { guestUpload, guestDays }, translate, head] = await Promise.all([
    viewerOfRequest(),
    siteOfRequest(),
    translatorOfRequest(),
    headers(),
  ])
  if (viewer) redirect('/')
  if (guestUpload === 'off') {
    return (
      <Blank title={translate('guestUpload.off')} text={translate('guestUpload.offText')}>
        <a href="/signin" className={buttonClass('plain')}>
          {translate('shell.signIn')}
        </a>
      </Blank>
    )
  }
  const app = currentApp()
  return (
    <PageMessages areas={['guestUpload']}>
      <GuestUpload
        isApproved={guestUpload === 'approval'}
        days={guestDays}
        sent={app.sentFiles(head)}
        origin={app.origin}
      />
    </PageMessages>
  )
}
