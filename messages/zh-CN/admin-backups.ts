import type { adminBackups as en } from '../en/admin-backups.ts'
import type { Shape } from '../shape.ts'

export const adminBackups: Shape<typeof en> = {
  title: '备份',
  start: '立即备份',
  startFailed: '无法启动备份。',
  nowhere:
    '未设置备份位置。将 <code>SLUICE_BACKUP_FOLDER</code> 设为另一块磁盘上的文件夹，或将 <code>SLUICE_BACKUP_S3_BUCKET</code> 及其密钥设为另一个存储桶，然后重启服务器。',
  late: '最近一次成功的备份已过旧。列表中有失败原因；解决后重新备份。',
  lateNone: '尚无成功的备份。列表中有失败原因；解决后重新备份。',
  destination: '备份位置',
  lastGood: '最近一次成功',
  none: '尚无',
  next: '下次备份',
  off: '已关闭',
  kept: '保留',
  keptText: '最新 {count, number} 份{days, plural, =0 {} other {，以及最近 # 天的全部备份}}。<link>更改</link>',
  queued: '备份即将开始。',
  step: {
    rows: '正在读取数据库…',
    objects: '正在发送新增内容…',
    checking: '正在重新检查备份位置…',
    pruning: '正在删除不再保留的内容…',
  },
  progress: '{done, number} / {objects, number} 个对象，{doneSize} / {size}',
  runs: '最近的备份',
  noRuns: '尚未运行过备份。',
  state: {
    running: '运行中',
    good: '成功',
    failed: '失败',
    interrupted: '已中断',
  },
  cause: {
    schedule: '按计划',
    page: '在此启动',
    command: '命令行',
  },
  contents: '{objects, plural, other {# 个对象}}（{size}）',
  sent: '{sent, plural, =0 {无新增} other {新增 # 个}}（发送 {size}）',
  took: '用时 {time}',
  pruned: '{count, plural, other {删除 # 个对象}}',
  requests: '{count, plural, other {# 次请求}}',
  damaged: '{count, plural, other {# 个对象}}在图片存储中缺失或损坏，未包含在备份中。运行 {command} 查看。',
  interruptedHint: '进程已结束或失去数据库连接。下次备份只发送缺少的内容。',
  restoreHint: '用 <command></command> 恢复到空站点。',
}
