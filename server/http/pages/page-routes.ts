import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'

const route = z.object({ regex: z.string() })
const manifest = z.object({ staticRoutes: z.array(route), dynamicRoutes: z.array(route) })

/** Returns a test for whether a page or route of Next has a path, by the manifest of the build. In dev mode every path may. */
export async function readPageRoutes(
  dir: string,
  { dev }: { readonly dev: boolean },
): Promise<(path: string) => boolean> {
  if (dev) return () => true
  const { staticRoutes, dynamicRoutes } = manifest.parse(
    JSON.parse(await readFile(join(dir, '.next/routes-manifest.json'), 'utf8')),
  )
  const patterns = [...staticRoutes, ...dynamicRoutes].map(({ regex }) => new RegExp(regex))
  return (path) => patterns.some((pattern) => pattern.test(path))
}
