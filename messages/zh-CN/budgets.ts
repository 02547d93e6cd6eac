import type { budgets as en } from '../en/budgets.ts'
import type { Shape } from '../shape.ts'

export const budgets: Shape<typeof en> = {
  budget: '{period, select, day {每日{unit}} month {每月{unit}} other {{unit}}}',
  near: '预算即将用完：{budgets}。',
  nearBudget: '{budget}（{share}）',
  spent:
    '预算已用完：{budgets}。现在拒绝{refused, select, uploads {上传} reads {读取未缓存的图片} other {上传和读取未缓存的图片}}。',
  unit: {
    money: '费用',
    requests: '请求数',
    writes: '写入和列举次数',
    reads: '读取次数',
    bytes: '出入流量',
    bytesOut: '流出流量',
    stored: '存储量',
  },
}
