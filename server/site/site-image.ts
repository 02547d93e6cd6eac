import { z } from 'zod'

/** An uploaded logo or icon, as settings have it: `<digest>-<width>x<height>`, of the rendering that pages show. */
export interface SiteImage {
  /** Of the cleaned upload, part of the addresses, which therefore never change what they lead to. */
  readonly hash: string
  readonly width: number
  readonly height: number
}

const SPELLED = /^([0-9a-f]{32})-([1-9]\d{0,3})x([1-9]\d{0,3})$/

export const siteImage = z
  .string()
  .regex(SPELLED)
  .transform((text): SiteImage => {
    const [, hash = '', width, height] = SPELLED.exec(text) ?? []
    return { hash, width: Number(width), height: Number(height) }
  })

export const spellSiteImage = ({ hash, width, height }: SiteImage): string => `${hash}-${width}x${height}`
