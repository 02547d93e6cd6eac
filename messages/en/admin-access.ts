export const adminAccess = {
  title: 'Access',
} as const
