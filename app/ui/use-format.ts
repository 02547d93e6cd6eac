import { useLocale } from 'use-intl/react'
import { type Formats, formatsFor } from '#format/formats.ts'

/** Returns what writes sizes, dates, waits and counts in the reader's locale. The object is the same in every render. */
export const useFormat = (): Formats => formatsFor(useLocale())
