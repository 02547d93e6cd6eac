export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const themeCookie = 'sluice-theme'

/** Returns the theme that a cookie names; `system` for anything else. */
export function toTheme(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'system'
}

/** Applies `theme` and keeps it in a cookie for a year, so that the server renders pages with it. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  // The Cookie Store API is missing on pages served without TLS.
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=31536000; samesite=lax`
}
