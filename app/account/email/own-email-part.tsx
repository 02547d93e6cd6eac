'use client'

import dynamic from 'next/dynamic'

/** Loaded apart: sites without mail load none of it. */
export const OwnEmail = dynamic(() => import('./own-email.tsx').then((module) => module.OwnEmail))
