/** 等不到应答的中文：等了多久，在哪里放宽时限，结果是否难说。 */

import { TimeoutError, type PilotError, type TimerName } from '../../base/errors.ts'
import { isHarmless, isOutcomeOpen, TIMER_OPTIONS, widenedAt } from './failure-facts.ts'
import { serverOf } from './failure-parts-zh.ts'

const TIMERS: Readonly<Record<TimerName, (method: string, ms: number) => string>> = {
  probe: (method, ms) => `${method} 在 ${ms} 毫秒内没有应答。`,
  start: (method, ms) => `启动了 ${ms} 毫秒，${method} 仍没有应答。请看它的 stderr。`,
  idle: (method, ms) => `${ms} 毫秒没有任何动静，${method} 没有得到应答。`,
  total: (method, ms) => `${method} 在 ${ms} 毫秒内没有完成。`,
  write: (_method, ms) => `${ms} 毫秒没有收下一条消息。`,
  stop: (_method, ms) => `${ms} 毫秒还没有结束。`,
}

/** 时限在哪里放宽：写下它的地方，否则用选项。 */
function widenZh(error: TimeoutError): string {
  const option = TIMER_OPTIONS.get(error.timer)
  if (option === undefined) return ''
  const place = widenedAt(error)
  return place === undefined ? `可用 ${option} 放宽时限。` : `时限写在 ${place}，可以在那里放宽。`
}

export function timeoutZh(error: PilotError): string {
  if (!(error instanceof TimeoutError)) return error.message
  const { timer, ms, method } = error
  if (method === undefined) return `等了 ${ms} 毫秒。（原文：${error.message}）`
  const open = isOutcomeOpen(error) && !isHarmless(method) ? '不知道它是否已经生效。' : ''
  return `${serverOf(error)}：${TIMERS[timer](method, ms)}${widenZh(error)}${open}`
}
