import type { Metadata } from 'next'
import { cache } from 'react'
import { type PageAddress, readAfter } from '#app/gallery/guest/read-after.ts'
import { RefusedPage } from '#app/limits/refused-page.tsx'
import { translatorOfRequest } from '#app/locale.ts'
import { PageMessages } from '#app/page-messages.tsx'
import { profileMetadata } from '#app/previews.ts'
import { callerOfRequest, siteOfRequest, unlessRefused } from '#app/viewer.ts'
import { currentApp } from '#server/current-app.ts'
import { ProfileView } from '../profile-view.tsx'

interface Props {
  params: Promise<{ name: string }>
  searchParams: Promise<PageAddress>
}

/** Loads the profile, once for the head and the page. */
const load = cache(async (name: string) => unlessRefused((await callerOfRequest()).profile.show({ name })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const [translate, site] = await Promise.all([translatorOfRequest(), siteOfRequest()])
  const { value: profile } = await load((await params).name)
  if (!profile) return { title: translate('profile.title'), robots: { index: false } }
  return profileMetadata(profile, { siteName: site.name, origin: currentApp().origin })
}

/** What a user has opened of themselves for everybody. */
export default async function Page({ params, searchParams }: Props) {
  const [{ name }, address] = await Promise.all([params, searchParams])
  const { value: profile, limit } = await load(name)
  return (
    <PageMessages areas={['albums', 'gallery']}>
      {profile ? <ProfileView profile={profile} after={readAfter(address)} /> : <RefusedPage limit={limit} />}
    </PageMessages>
  )
}
