import type { dayChart as en } from '../en/day-chart.ts'
import type { Shape } from '../shape.ts'

export const dayChart: Shape<typeof en> = {
  chart: '每日数值，峰值 {amount}',
  day: '日期',
  none: '这个月没有数据。',
  noneYet: '还没有数据。',
  peak: '峰值：每天 {amount}',
  peakLevel: '峰值：{amount}',
  series: {
    cost: '费用',
    reads: '读取',
    writes: '写入和列举',
    deletes: '删除',
    bytesIn: '流入流量',
    bytesOut: '流出流量',
    served: '访问流量',
    stored: '存储量',
  },
  table: '以表格显示',
  utc: '日期按 UTC 划分。',
}
