import type { Metadata } from 'next'
import Link from 'next/link'
import { Blank } from '#app/shell/blank.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { siteOfRequest, viewerOfRequest } from '#app/viewer.ts'

export const metadata: Metadata = { title: 'Not found' }

export default async function NotFound() {
  const [viewer, site] = await Promise.all([viewerOfRequest(), siteOfRequest()])
  return (
    <Blank title="Nothing here" text="The address is wrong, or what was here is private, in the trash or gone.">
      {(viewer || site.gallery) && (
        <Link href="/" prefetch={false} className={buttonClass('primary')}>
          To the images
        </Link>
      )}
      {!viewer && (
        <Link href="/signin" prefetch={false} className={buttonClass('plain')}>
          Sign in
        </Link>
      )}
    </Blank>
  )
}
