/** Stands for all the subjects, hashes or images that have no row of their own. */
export const OTHERS = 'others'
