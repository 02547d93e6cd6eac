export const testTools = 'testing package:*'
/** Tests of an area call the server as its clients do, and may read other areas. */
export const areaTests = `server generated/prisma ${testTools}`

export const prose = 'format messages'
export const procedure = 'server/errors server/trpc/init.ts package:@trpc/server package:zod'
export const component = `package:react package:react-aria-components package:lucide-react package:use-intl ${prose}`
export const feature = `${component} package:next package:@tanstack/react-query
  app/locale.ts app/page-messages.tsx app/previews.ts app/viewer.ts app/ui app/connection/trpc.ts app/limits app/shell`
/** Pages that a visitor sees before signing in. */
export const entrance = `app/entry app/locale.ts app/page-messages.tsx app/shell app/ui app/viewer.ts package:next ${prose}`
