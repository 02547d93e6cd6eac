/** What stands in place of a page when nothing can be rendered around it. A page has it in every language (app/global-error.tsx). */
export const fatal = {
  ids: 'error {digest}',
  reload: 'Try again',
  text: 'The server could not render this page.',
  title: 'Something went wrong',
} as const
