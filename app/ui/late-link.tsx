'use client'

import dynamic from 'next/dynamic'

/** A link for what few people see but every page loads, such as what a wrong address shows. */
export const LateLink = dynamic(() => import('next/link'))
