import type { Outputs } from '#app/connection/trpc.ts'

export type Overview = Outputs['budget']['overview']
export type BudgetItem = Overview['budgets'][number]
export type Day = Overview['days'][number]
export type Prices = Overview['prices']
export type Period = BudgetItem['period']
export type BudgetUnit = BudgetItem['unit']
export type Bill = NonNullable<Overview['bill']>['soFar']
export type BillLine = Bill['lines'][number]
