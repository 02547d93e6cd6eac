import { view } from '#server/images/limits.ts'
import { declareRoute } from '#server/limits/rules/declared-route.ts'

/** oEmbed answers, which cost as much as the details of an image do. A share's are charged to the share as well. */
export const oembedRoute = declareRoute({ label: 'oEmbed', declared: view, isAnonymous: false })
