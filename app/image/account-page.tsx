'use client'

import dynamic from 'next/dynamic'

/** The page of signed-in users, loaded apart: guests need none of its script. */
export const AccountImagePage = dynamic(() => import('./image-page.tsx').then((module) => module.ImagePage))
