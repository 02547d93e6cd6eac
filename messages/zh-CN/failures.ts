import type { failures as en } from '../en/failures.ts'
import type { Shape } from '../shape.ts'

export const failures: Shape<typeof en> = {
  asOf: '截至 <time></time>，获取新数字的次数已达限制。',
  changed: '刚刚有人改过，现在是：{now}。再次保存会覆盖它。',
  limitReached: '已达限制',
  limitSpoken: '已达限制：{ruleSet}，{rule}。{wait}后可以重试。',
  limitSpokenResuming: '已达限制：{ruleSet}，{rule}。{wait}后自动继续。',
  nothingWithoutStore: '计数存储无响应期间全部拒绝',
  offline: '无法连接服务器。检查网络后再试。',
  passkeyCancelled: '没有使用通行密钥。准备好后再试。',
  passkeyElsewhere: '本站的通行密钥在此地址无效。用本站自己的地址打开。',
  passkeyFailed: '无法使用通行密钥，再试一次。',
  passkeyPresent: '此设备或密码管理器已有你账号的通行密钥。',
  passkeyUnsuited: '此设备无法保存可确认本人的通行密钥。换一个设备。',
  passkeyUnsupported: '此浏览器不支持通行密钥，或不支持在当前地址使用。',
  ready: '现在可以重试了。',
  report: '{sentence}如果反复出现，把这个请求 ID 告诉站长：{requestId}。',
  resuming: '正在继续…',
  resumingIn: '{wait}后自动继续',
  rule: '{ruleSet}：{rule}',
  signIn: '登录',
  signedOut: '登录已失效。<link>在新标签页中登录</link>后再试。',
  tooMany: '请求过多',
  tryAgain: '重试',
  tryAgainIn: '{wait}后可重试',
  unknown: '出错了，再试一次。',
}
