import { titled, translatorOfRequest } from '#app/locale.ts'
import { Blank } from '#app/shell/blank.tsx'
import { buttonClass } from '#app/ui/button-class.ts'
import { LateLink } from '#app/ui/late-link.tsx'
import { siteOfRequest, viewerOfRequest } from '#app/viewer.ts'

export const generateMetadata = titled('shell.notFoundTitle')

export default async function NotFound() {
  const translate = await translatorOfRequest()
  const [viewer, site] = await Promise.all([viewerOfRequest(), siteOfRequest()])
  return (
    <Blank title={translate('shell.notFoundTitle')} text={translate('shell.notFoundText')}>
      {(viewer || site.gallery) && (
        <LateLink href="/" prefetch={false} className={buttonClass('primary')}>
          {translate('shell.backToImages')}
        </LateLink>
      )}
      {!viewer && (
        <LateLink href="/signin" prefetch={false} className={buttonClass('plain')}>
          {translate('shell.signIn')}
        </LateLink>
      )}
    </Blank>
  )
}
