export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const themeCookie = 'sluice-theme'

/** The theme a cookie asks for; `system` for everything else. */
export function themeOf(value: string | undefined): Theme {
  return themes.find((theme) => theme === value) ?? 'system'
}

/** Shows `theme` at once and keeps it for a year, for the server to render the next page with. */
export function applyTheme(theme: Theme): void {
  document.documentElement.dataset.theme = theme
  // The Cookie Store API, which would say this better, is missing on pages that are served without TLS.
  document.cookie = `${themeCookie}=${theme}; path=/; max-age=31536000; samesite=lax`
}
