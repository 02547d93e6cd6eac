// Writes what code imports but no clone has: Prisma's client, in `generated/`.
import { buildIfStale } from '#server/build.ts'

await buildIfStale({ pages: false })
