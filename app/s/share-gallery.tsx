import type { ReactNode } from 'react'
import type { GuestTileItem } from '#app/gallery/guest/guest-tile.tsx'
import { placeholderColour } from '#app/image/placeholder.ts'
import { translatorOfRequest } from '#app/locale.ts'
import { ReportLink } from '#app/report/report-link.tsx'
import { GuestTiles } from '#app/shell/guest-parts.ts'
import { toPath } from '#app/shell/safe-path.ts'
import { buttonClass } from '#app/ui/button-class.ts'
import type { SharedImage } from '#server/sharing/shared-item.ts'
import type { ShownShare } from '#server/sharing/show-share.ts'

interface Props {
  readonly path: string
  readonly share: ShownShare
  /** The first image of the page, from 0. */
  readonly from: number
}

/** The most images on a page, as the server answers (server/sharing/shared-images.ts). */
const PAGE = 100

/** The images of a share, each of which leads to a page of its own. */
export async function ShareGallery({ path, share, from }: Props) {
  const translate = await translatorOfRequest()
  const { title, description, count, images, next, zips } = share
  return (
    <div className="px-4 sm:px-6">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3 py-5">
        <div className="min-w-0">
          <h1 dir="auto" className="text-xl font-semibold break-words">
            {title || translate('shared.title')}
          </h1>
          {description && (
            <p dir="auto" className="mt-1 max-w-prose whitespace-pre-line text-ink-soft">
              {description}
            </p>
          )}
          <p className="figures mt-1 text-sm text-ink-soft">{translate('shared.images', { count })}</p>
        </div>
        {zips.length > 0 && (
          <nav aria-label={translate('shared.downloads')} className="flex flex-wrap gap-2">
            {zips.map((url, part) => (
              <a key={url} href={toPath(url)} download className={buttonClass('plain', 'small')}>
                {zips.length === 1
                  ? translate('shared.downloadAll')
                  : translate('shared.downloadPart', { part: part + 1, parts: zips.length })}
              </a>
            ))}
          </nav>
        )}
      </header>
      {images.length === 0 && <p className="py-16 text-center text-ink-soft">{translate('shared.empty')}</p>}
      {images.length > 0 && (
        <GuestTiles
          label={translate('shared.list')}
          items={images.map((image, index) => {
            const at = from + index
            const name = image.title || translate('shared.untitled', { at: at + 1, count })
            return toTile(image, `${path}?at=${at}`, name)
          })}
        />
      )}
      {(from > 0 || next !== null) && (
        <nav aria-label={translate('shared.pages')} className="flex flex-wrap justify-center gap-2 py-8">
          {from > 0 && (
            <PageLink rel="prev" path={path} from={Math.max(0, from - PAGE)}>
              {translate('shared.previousPage')}
            </PageLink>
          )}
          {next !== null && (
            <PageLink rel="next" path={path} from={next}>
              {translate('shared.nextPage')}
            </PageLink>
          )}
        </nav>
      )}
      {images.length > 0 && (
        <div className="py-8">
          <ReportLink href={`${path}/report${from > 0 ? `?from=${from}` : ''}`}>
            {translate('reporting.linkOfMany')}
          </ReportLink>
        </div>
      )}
    </div>
  )
}

interface LinkProps {
  rel: 'prev' | 'next'
  path: string
  from: number
  children: ReactNode
}

function PageLink({ rel, path, from, children }: LinkProps) {
  return (
    <a rel={rel} href={from === 0 ? path : `${path}?from=${from}`} className={buttonClass('plain')}>
      {children}
    </a>
  )
}

/** Without originals an animation plays only if a variant moves. */
function toTile(image: SharedImage, href: string, name: string): GuestTileItem {
  const { url, originalUrl, variants, variantsAwaited, placeholder, mime, width, height } = image
  const mayMove = originalUrl !== null || variants.some(({ moves }) => moves)
  return {
    ...{ href, slug: null, name, owner: null, variants, variantsAwaited, mime, width, height },
    url: url.replace(/\?.*/, ''),
    frames: mayMove ? image.frames : 1,
    colour: placeholder && placeholderColour(placeholder),
  }
}
