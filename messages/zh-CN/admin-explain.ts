import type { adminExplain as en } from '../en/admin-explain.ts'
import type { Shape } from '../shape.ts'

export const adminExplain: Shape<typeof en> = {
  title: '解释一次调用',
  lead: '现在发起一次调用会计入哪些规则、能否放行。查询本身不计数。',
  procedure: '接口',
  procedureExample: 'image.download',
  caller: '调用者',
  callerHint: '用户名、地址，或上方显示的计数对象。',
  ask: '解释',
  passes: '{subject} 的下一次调用会放行。',
  refused: '{subject} 的下一次调用要在{wait}后才会放行。',
  exempt: '{subject} 不受限制。',
  noRules: '没有规则对此调用者计数。',
  ownCount: '计数存储不可用。以下是单个进程的计数。',
  rules: '规则',
  used: '已用 {used} / {limit}，剩余 {left}',
  more: '{wait}后恢复一些',
  passesNow: '现在放行',
  passesIn: '{wait}后放行',
  inWait: '{wait}后',
  overridden: '已对{target}覆盖',
  blocked: '封锁中，还剩{wait}',
  copyKey: '复制 {policy} 的键',
  unasked: '以下规则组未显示，因为仅凭调用者无法得知计数：',
  needs: {
    argument: '按调用的参数计数',
    address: '按地址计数',
    'other-subject': '不对此调用者计数',
  },
}
