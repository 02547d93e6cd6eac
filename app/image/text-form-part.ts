'use client'

import { late } from '#app/ui/late.tsx'

/** The form for a title or a description, loaded with the first one. */
export const TextForm = late(() => import('./text-form.tsx').then((module) => module.TextForm))
