/** 宿主里的错误的中文：不可用的服务器、等不到的应答、被拒绝的调用。每种情形一句。 */

import type { DetailOf, HostDetails, NoStart, Unanswered } from '../../base/error-detail.ts'
import { PolicyError, TimeoutError, type PilotError } from '../../base/errors.ts'
import { quote, serverOf, subject, withoutStop } from './failure-parts-zh.ts'
import type { FailureTable } from './failure-words.ts'
import { ruleTextZh } from './rule-zh.ts'
import { WHY_ZH } from './why-kinds-zh.ts'

/** 决定的原因，接在“没有调用某工具：”之后。 */
const DENIALS: ReadonlyMap<string, string> = new Map([
  ['deny-rule', '策略规则禁止它'],
  ['changed-definition', '它的定义与批准时不同'],
  ['flow', '会话已读过不可信的内容，而这次调用可能把数据带出去'],
  ['ask-rule', '策略规则要求先询问'],
  ['new-definition', '它在服务器批准之后才出现，还没有人看过'],
  ['read-only', '可信服务器的只读工具按策略要先询问'],
  ['native', '程序自带的工具按策略要先询问'],
  ['otherwise', '没有规则提到它，因此要先询问'],
  ['secret', '参数里有配置中的机密'],
])

const ADVICE: ReadonlyMap<string, string> = new Map([
  ['changed-definition', '请用 deep-pilot verify 查看变化，再用 deep-pilot pin 批准。'],
  ['deny-rule', '要允许它，请修改这条规则。'],
  ['broken-policy', '请用 deep-pilot policy check 查看错在哪里。'],
])

function protectedZh(about: string | undefined): string {
  return about === undefined
    ? '参数里的文本太多，无法逐一查明是否提到决定宿主权限的文件。请一次少给一些'
    : `参数提到${quote(about)}，这个文件决定宿主的权限。工具不能动它，请自己修改`
}

/** Where nobody was asked, what could not be read denies. */
function brokenZh(brokenAt: string | undefined, by: string): string {
  const where = brokenAt === undefined ? '' : `（${brokenAt}）`
  return `策略有一处无法读取${where}，改正之前，这样的调用都${by === 'policy' ? '拒绝' : '要先询问'}`
}

/** 没有人回答的原因，接在“没有人回答：”之后。 */
const UNANSWERED: Readonly<Record<Unanswered, string>> = {
  nobody: '无人可问',
  'no-terminal': '没有终端，无人可问',
  late: '回答的时限已过',
  'too-many': '等待回答的问题太多',
  odd: '得到的回答无法理解',
}

function behindZh(rule: string, because: string | undefined): string {
  const told = ruleTextZh(rule)
  return because === undefined ? `（规则：${told}）` : `（规则：${told}；理由：${because}）`
}

function deniedZh(
  { tool, reason, by, said, unanswered, about, brokenAt }: DetailOf<'denied'>,
  error: PilotError,
): string {
  const { rule, because } = error instanceof PolicyError ? error : {}
  const known =
    reason === 'protected-file'
      ? protectedZh(about)
      : reason === 'broken-policy'
        ? brokenZh(brokenAt, by)
        : DENIALS.get(reason)
  const why = `${known ?? reason}${rule === undefined ? '' : behindZh(rule, because)}`
  const answer = { person: '回答是“否”', nobody: '没有人回答' }[by]
  const words = unanswered === undefined ? said : UNANSWERED[unanswered]
  const told = words === undefined ? '' : `：${withoutStop(words)}`
  const asked = answer === undefined ? '' : `${answer}${told}。`
  return `没有调用 ${tool}：${why}。${asked}${ADVICE.get(reason) ?? ''}`
}

const NO_START: Readonly<Record<NoStart, (launcher: string) => string>> = {
  silent: () => '它还没有应答。需要更久的话，请放宽启动时限；否则请手动运行它的命令看看。',
  fetching: (launcher) =>
    `${quote(launcher)}还在下载程序。请放宽启动时限，或先手动运行一次该命令。`,
  'program-silent': (launcher) =>
    `${quote(launcher)}已启动它的程序，而程序没有应答。请手动运行该命令看看。`,
  idle: (launcher) => `${quote(launcher)}什么也没有做：它卡住了。请检查网络，或手动运行该命令。`,
}

const ODD: Readonly<
  Record<DetailOf<'arguments-odd'>['why'], (limit: number | undefined) => string>
> = {
  'no-object': () => '必须是对象；没有参数时写 {}。',
  'no-json': () => '无法写成 JSON。',
  'too-long': (limit) => `太长，最多 ${limit} 个字符。请改为传递数据的位置。`,
  'too-deep': (limit) => `嵌套超过 ${limit} 层。`,
}

const msOf = (error: PilotError): string =>
  error instanceof TimeoutError ? `${error.ms} 毫秒` : '时限'

export const HOST_ZH: FailureTable<keyof HostDetails> = {
  unavailable: ({ why }, error) =>
    `${serverOf(error)}现在不接受调用：${WHY_ZH.get(why) ?? why}。请用 deep-pilot doctor 检查它。`,
  detached: (_detail, error) => `${serverOf(error)}已经移除，它的工具不能再调用。`,
  unapproved: ({ place }, error) =>
    `${serverOf(error)}写在 ${place} 里，而该文件尚未批准。请先查看：deep-pilot config approve`,
  'waited-for-server': ({ tool }, error) =>
    `对${quote(tool)}的调用没有发出：等${serverOf(error)}等了 ${msOf(error)}，它还不能接受调用。`,
  hangs: ({ times }, error) =>
    `${serverOf(error)}卡住了：接连 ${times} 次问它是否还在，每次等 ${msOf(error)}，都没有应答。`,
  'no-start': ({ why, launcher = '' }, error) =>
    `${serverOf(error)}启动了 ${msOf(error)}，超过时限：${NO_START[why](launcher)}`,
  'question-took-long': (_detail, error) =>
    `${subject(error.method, '调用')}在等人回答问题时超过了总时限 ${msOf(error)}。服务器没有在继续处理它。`,
  'task-took-long': ({ task }, error) =>
    `${subject(error.method, '调用')}的任务 ${task} 在 ${msOf(error)}内没有结束，已经取消。`,
  denied: deniedZh,
  'not-recorded': ({ tool, reason }) =>
    `没有调用 ${tool}：这次决定写不进审计日志（${withoutStop(reason)}）。请腾出空间，或改正该文件的权限。`,
  'changed-meanwhile': ({ tool }) =>
    `没有调用 ${tool}：判断之后它的定义变了。请用 deep-pilot verify 查看变化。`,
  'exchanged-meanwhile': ({ tool }, error) =>
    `没有调用 ${tool}：判断之后${serverOf(error)}的配置变了，现在代表它的是另一个进程或地址。请再调用一次。`,
  altered: ({ tool }, error) =>
    `${tool === undefined ? `发往${serverOf(error)}的调用` : `对 ${tool} 的调用`}没有发出：参数与判断时的不同。`,
  unjudged: (_detail, error) => `发往${serverOf(error)}的调用没有经过判断，因此没有发出。`,
  'unknown-tool': ({ tool }) => `没有工具${quote(tool)}。请用 deep-pilot tools 查看现有的。`,
  'arguments-odd': ({ tool, why, limit }) => `${tool} 的参数${ODD[why](limit)}`,
}
