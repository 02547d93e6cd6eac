import type { ImageItem } from '#app/connection/trpc.ts'
import { toPath } from '#app/shell/safe-path.ts'

const loaded = new Set<string>()

/** Notes an image file that this document has loaded. It can be shown again without a read of the bucket. */
export const noteLoaded = (url: string): void => void loaded.add(toPath(url))

/** Returns the path of the largest variant of an image that this document has loaded. */
export const findLoaded = ({ variants }: Pick<ImageItem, 'variants'>): string | undefined =>
  variants?.map(({ url }) => toPath(url)).findLast((path) => loaded.has(path))
