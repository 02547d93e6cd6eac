'use client'

import dynamic from 'next/dynamic'

/** The gallery of signed-in users, loaded apart: guests need none of its script. */
export const AccountGallery = dynamic(() => import('./gallery.tsx').then((module) => module.Gallery))
