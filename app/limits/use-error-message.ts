'use client'

import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { describeFailure } from './message.ts'

/** Returns a function that describes a failed call. */
export function useErrorMessage(): (error: unknown) => string {
  const t = useTranslations('failures')
  return useMemo(() => (error) => describeFailure(error, t), [t])
}
