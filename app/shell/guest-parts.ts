'use client'

import dynamic from 'next/dynamic'

/** Parts of pages that only guests see, loaded apart: signed-in users need none of their script. */
export const GuestTiles = dynamic(() =>
  import('#app/gallery/guest/guest-tiles.tsx').then((module) => module.GuestTiles),
)
export const GuestImage = dynamic(() => import('#app/image/guest/guest-image.tsx').then((module) => module.GuestImage))
export const GuestZip = dynamic(() => import('#app/albums/guest/zip-form.tsx').then((module) => module.ZipForm))
export const GuestCards = dynamic(() => import('#app/albums/guest/guest-cards.tsx').then((module) => module.GuestCards))
