// Generates what checks and tests need and the repository lacks: Prisma's client and an empty database, in `generated/`.
import { buildIfStale } from '#server/build.ts'

await buildIfStale({ database: true })
