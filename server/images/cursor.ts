import { z } from 'zod'
import { cursorInput } from '#server/trpc/cursor.ts'

/** The last image of a page. */
export const imageCursor = cursorInput(z.uuid())
