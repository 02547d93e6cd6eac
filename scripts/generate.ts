// Generates code that is not in the repository: Prisma's client, in `generated/`.
import { buildIfStale } from '#server/build.ts'

await buildIfStale({ pages: false })
