import { join } from 'node:path'

/** What a file may be rendered as besides variants: the site's logo for the header of pages, or its icon for browsers and home
 *  screens. */
export const brandKinds = ['logo', 'icon'] as const
export type BrandKind = (typeof brandKinds)[number]

/** A file may also be rendered as an account's picture, a small square. */
export type RenderedAs = BrandKind | 'picture'

export const brandRenderings = ['logo', 'icon-32', 'icon-180', 'icon-192', 'icon-512', 'icon-maskable'] as const
export type BrandRendering = (typeof brandRenderings)[number]

/** The renderings of each kind, all PNG. `main` has the size by which pages know the image. */
export const renderingsByKind: Readonly<
  Record<BrandKind, { main: BrandRendering; others: readonly BrandRendering[] }>
> = {
  logo: { main: 'logo', others: [] },
  icon: { main: 'icon-512', others: ['icon-32', 'icon-180', 'icon-192', 'icon-maskable'] },
}

export const brandPath = (folder: string, name: BrandRendering): string => join(folder, `${name}.png`)
