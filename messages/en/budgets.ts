/** Budgets by name, and the warning that superadmins see on every page. */
export const budgets = {
  budget: '{period, select, day {{unit} per day} month {{unit} per month} other {{unit}}}',
  near: 'Budget nearly spent: {budgets}.',
  nearBudget: '{budget} ({share})',
  spent:
    'Budget spent: {budgets}. Refused: {refused, select, uploads {uploads} reads {images that are not cached} other {uploads and images that are not cached}}.',
  unit: {
    money: 'Cost',
    requests: 'Requests',
    writes: 'Writes and lists',
    reads: 'Reads',
    bytes: 'Data in and out',
    bytesOut: 'Data out',
    stored: 'Stored data',
  },
} as const
