import { adminAccess } from './en/admin-access.ts'
import { cli } from './en/cli.ts'
import { errors } from './en/errors.ts'
import { gallery } from './en/gallery.ts'
import { invalid } from './en/invalid.ts'

/** Every sentence in English, by area. Pages load the areas that they show (app/shell/messages.tsx). */
export const en = { adminAccess, cli, errors, gallery, invalid } as const
