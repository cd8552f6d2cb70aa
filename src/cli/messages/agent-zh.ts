/** `chat` 与 `run` 的中文。 */

import type { TableFault } from '../../agent/read-table.ts'
import { PilotError } from '../../base/errors.ts'
import type { AgentWords, OfferedCount, SpentFacts } from './agent-words.ts'
import { tellZh } from './failure-zh.ts'
import { OUTCOMES_ZH } from './outcome-words.ts'
import { systemReasonZh } from './system-reasons-zh.ts'
import { warningZh } from './warnings-zh.ts'

interface TableWords {
  readonly whole: string
  readonly entries: string
  readonly form: string
}

const PRICES: TableWords = {
  whole: '价格表',
  entries: '价格',
  form: '含有 provider、model，以及每百万 token 美元价格 input、output（可加 cachedInput、cacheWrite）的对象',
}

const MODELS: TableWords = {
  whole: '模型表',
  entries: '模型',
  form: '含有 provider、model 的对象，并按所知加上 window（token 数，整数）、images、thinkingLevels、usual（true 或 false；usual 只能配完整的名字）',
}

function tableZh(fault: TableFault, { whole, entries, form }: TableWords): string {
  switch (fault.kind) {
    case 'no-object':
      return `${whole}不是 JSON 对象，不算数。`
    case 'no-list':
      return `${whole}没有列表 "models"，不算数。`
    case 'too-many':
      return `只有前 ${fault.most} 个${entries}算数。`
    case 'entry':
      return `models[${fault.at}] 不算数：请写${form}。`
    default:
      return fault satisfies never
  }
}

const number = (value: number): string => value.toLocaleString('en-US')

const behind = (how: string | undefined): string => (how === undefined ? '' : `（${how}）`)

const priceEntry = (provider: string, model: string): string =>
  JSON.stringify({ models: [{ provider, model, input: 0, output: 0 }] })

const typed = (option: string, value: string | undefined): string =>
  value === undefined ? `未给出 ${option}` : `${option} ${value}`.trim()

const before = (was: string | undefined): string =>
  was === undefined ? '未给出' : was === '' ? '已给出' : was

const offered = ({ all, builtIn }: OfferedCount): string =>
  `${number(all)} 个工具${builtIn === 0 ? '' : `（自带 ${number(builtIn)} 个）`}`

const spent = (facts: SpentFacts): string => {
  const { turns, usd, seconds, estimated, uncounted } = facts
  const isOpen = uncounted > 0
  const tokens = tokensText(facts, estimated ? '约' : '')
  return [
    `请求 ${number(turns)} 次`,
    tokens ?? 'token 数未知',
    ...(isOpen && tokens !== undefined ? [`${number(uncounted)} 次请求中断，token 数未知`] : []),
    usd === undefined || tokens === undefined
      ? '费用未知'
      : `${isOpen ? '至少 ' : ''}${estimated ? '约 ' : ''}$${usd}`,
    ...(seconds === undefined ? [] : [`${seconds} 秒`]),
  ].join(' · ')
}

/** Undefined where there are none but those that nobody counted. */
function tokensText(
  { input, cached, output, uncounted }: SpentFacts,
  about: string,
): string | undefined {
  if (input + output === 0 && uncounted > 0) return undefined
  const part = cached === undefined || cached === 0 ? '' : `（缓存命中 ${number(cached)}）`
  return `输入${about} ${number(input)} token${part}，输出${about} ${number(output)}`
}

export const agentZh: AgentWords = {
  commands: {
    chat: '与模型对话，让它调用你的服务器的工具，每次调用都看得见',
    chatMore:
      '模型能看到配置中所有服务器的工具。每次调用都遵守策略，可能先询问你。' +
      '密钥：DEEPSEEK_API_KEY、OPENAI_API_KEY、ANTHROPIC_API_KEY 或 OPENROUTER_API_KEY；本机的模型不需要密钥。' +
      '没有终端时，标准输入的每一行是一条消息；加 --json 时输出与 run 相同的事件。会话保存在 $DEEP_PILOT_HOME/sessions：保留最近 50 个 chat，另保留最近 50 个 run。',
    run: '交给模型一项任务，用你的服务器的工具完成，并输出回答',
    runMore:
      '无人可问时，策略要询问的调用一律拒绝。' +
      '退出码：0 完成，1 用法错误，3 没有密钥或密钥被拒，4 无法连接模型，6 最后停在被拒绝的调用上，7 模型没有按时回答，8 模型出错或什么也没有说，9 达到限额，130 Ctrl-C。',
    argumentTask: '要做的事；写 - 则从标准输入读取',
  },
  options: {
    model: (providers) =>
      `模型：deepseek，或 PROVIDER:NAME，其中 PROVIDER 为 ${providers.join('、')}；有 --base-url 时也可只写 NAME（默认 DEEP_PILOT_MODEL，否则为 deepseek）`,
    baseUrl:
      '自己的服务地址，如 http://127.0.0.1:8080/v1；需要密钥时用 DEEP_PILOT_API_KEY（默认 DEEP_PILOT_BASE_URL）',
    insecureHttp: '允许本机以外的明文 http:// 地址，途中任何人都能读到全部内容',
    context:
      '模型的窗口，以 token 计；未知或想改用别的大小时给出，Ollama 会按它开窗口（默认 DEEP_PILOT_CONTEXT，否则用已知的）',
    system: '把 FILE 中的文字加入模型最先读到的内容',
    effort: '回答前思考多少',
    maxOutput: '一次回答最多的 token 数',
    noStream: '等回答完整后再读，不逐段接收',
    budgetTurns: '一条消息最多请求模型的次数（默认 50）',
    budgetCalls: '一条消息最多调用工具的次数',
    budgetTokens: '总共最多的 token 数，输入与输出合计',
    budgetUsd: '总共最多花费的美元；价格未知的模型不会被请求',
    budgetTime: '一条消息最多的秒数',
    discovery:
      '模型自己查找工具，而不是一次全部给它：on、off 或 auto（默认 auto：服务器的工具超过 40 个，或定义超过窗口的十分之一）',
    strict:
      '若所有工具的 schema 都允许，则由提供方强制模型遵守；哪些不允许，见 tools --for PROVIDER --strict',
    markResults: '向模型标明每个工具结果从哪里开始、到哪里为止、是谁的，其中的文字就不易被当成指令',
    noSave: '不保存会话：不留对话，不留录制，不写磁盘',
    yes: '对所有询问都回答“是”，不再询问：用于脚本',
    resume: '继续这个编号的会话，或最近的 chat，并沿用它的模型：--model、--base-url 等不必再写',
    list: '列出保存的会话',
    reasoning: '在标准错误上显示模型的思考',
    json: '每个事件输出为一行 JSON，错误输出为 stderr 上的一行 JSON',
    deltas: '与 --json 同用：回答的每一段也输出',
  },
  faults: {
    noKey: (provider, variables) =>
      `没有 ${provider} 的密钥。请设置 ${variables.join(' 或 ')}，或用 --model 换一个模型。本机的模型不需要密钥：--model ollama:NAME，或 --base-url http://127.0.0.1:8080/v1 --model NAME。` +
      '不用模型也能看协议：deep-pilot demo',
    shortKey: (variable) =>
      `${variable} 里的密钥不足 4 个字符：照常发送，但在显示和录制的内容里无法遮盖。`,
    price: (file, fault) => `${file}：${tableZh(fault, PRICES)}`,
    modelFact: (file, fault) => `${file}：${tableZh(fault, MODELS)}`,
    modelAwayTitle: '无法连接模型',
    modelAway: (why) => `${why}。它在运行吗？请启动它，或用 --base-url 指明地址。`,
    badNumber: (option, value) =>
      `${option} 不能是“${value}”。请用数字写一个大于 0 的数，如 0.05（不超过 999999999，小数不超过 6 位）。`,
    badWhole: (option, value) => `${option} 不能是“${value}”。请写 1 到 999999999999 之间的整数。`,
    noPrice: ({ provider, name }, file) =>
      `${provider} 的“${name}”价格未知，无法遵守 --budget-usd。请把每百万 token 的价格写入“${file}”，自己的模型写 0：` +
      `${priceEntry(provider, name)}。也可以改为限制 token：--budget-tokens。`,
    noTask: '没有任务。请写在 run 之后的引号里，或用 - 从标准输入读取。',
    jsonAtTerminal:
      'chat --json 从管道或文件读取消息，每行一条。在终端上请去掉 --json，或用 deep-pilot run --json 交给它一项任务。',
    onlyJson: (option) => `${option} 只与 --json 同用。请加上 --json。`,
    deniedAtEnd: (tool) => `对 ${tool} 的调用被拒绝，此后没有再做什么。`,
    noSession: (wish, newest) =>
      `没有会话“${wish}”。最近的有：${newest.join('、')}。全部请看“deep-pilot chat --list”。`,
    noSessionYet: (folder) => `“${folder}”里还没有会话。请先开始一个：deep-pilot chat`,
    noChatYet: (runs) =>
      `还没有可以继续的 chat。run 的会话可以用编号继续，如：deep-pilot chat --resume ${runs[0]}`,
    severalSessions: (wish, ids) =>
      `“${wish}”可以指 ${ids.length} 个会话：${ids.slice(0, 5).join('、')}。请把编号写得更完整。`,
    sessionOpen: (id, pid) =>
      `会话 ${id} 正由另一个进程打开（进程 ${pid}）。请先结束它，或开始新的会话。`,
    sessionsUnreadable: (folder, error) =>
      `无法读取“${folder}”中的会话：${systemReasonZh(error)}。请检查权限。`,
    sessionsUnwritable: (folder, error) =>
      `无法在“${folder}”中保存会话：${systemReasonZh(error)}。请检查权限，或使用 --no-save。`,
  },
  view: {
    waiting: '正在等待模型……',
    queued: '模型繁忙，正在排队……',
    thinking: (characters) => `正在思考……${number(characters)} 个字符`,
    thought: (characters, seconds, how) =>
      `思考了 ${seconds} 秒，${number(characters)} 个字符（${how} 可查看）`,
    writingCall: (name, characters) => `正在写对 ${name} 的调用……${number(characters)} 个字符`,
    again: '以上内容作废，回答重新开始',
    retry: (seconds, { why, error }) =>
      `${seconds} 秒后重试：${error instanceof PilotError ? tellZh(error, { advice: false }) : why}`,
    compacted: (messages) => `为腾出空间，开头的 ${number(messages)} 条消息不再发送`,
    toolsAdded: (names) => `新增工具：${names.join('、')}`,
    toolsRemoved: (names) => `已消失的工具：${names.join('、')}`,
    toolsChanged: (names) => `有变化的工具：${names.join('、')}`,
    outcomes: OUTCOMES_ZH,
    badArguments: '（参数无法读取）',
    moreCharacters: (count, how) => `……还有 ${number(count)} 个字符${behind(how)}`,
    moreLines: (count, how) => `……还有 ${number(count)} 行${behind(how)}`,
    shownPart: (shown, all) => `模型看到 ${shown}，共 ${all}`,
    wholeAt: (path) => `全文：${path}`,
    forYou: '只给你看，不给模型：',
    warning: ({ kind, message }) => `警告：${warningZh(kind, message)}`,
    empty: '模型什么也没有说。',
    unfinished: '回答不完整：中途被打断。',
    ends: {
      length: '回答被截断：达到长度上限。',
      filtered: '回答被提供方拦下。',
      loop: '已结束：模型反复进行同一个调用。',
      cancelled: '已中断。',
    },
    budgets: {
      turns: '已结束：达到请求次数上限（--budget-turns）。',
      tokens: '已结束：达到 token 上限（--budget-tokens）。',
      usd: '已结束：达到费用上限，或费用未知（--budget-usd）。',
      ms: '已结束：达到时间上限（--budget-time）。',
      calls: '已结束：达到调用次数上限（--budget-calls）。',
    },
    spent,
  },
  chat: {
    greeting: (model, tools) => `${model}，${offered(tools)}。`,
    hint: 'Enter 发送，Ctrl-J 换行，/help 查看更多。',
    noServers: '没有配置任何服务器，模型只有自带的工具。添加：deep-pilot config add',
    unsaid: '标准输入里后面的话没有说出去：聊天在这一条之后就结束了。',
    restartWhich: (word, servers) => {
      if (servers.length === 0) return '没有可以重新启动的服务器。'
      const which = `现有：${servers.join('、')}。`
      return word === '' ? `要重新启动哪个服务器？${which}` : `没有服务器 "${word}"。${which}`
    },
    restarting: (server) => `正在重新启动 ${server}……`,
    session: (id) => `会话 ${id}`,
    notSaved: '本次会话不保存。',
    resumed: (id, messages) => `继续会话 ${id}，已有 ${number(messages)} 条消息。`,
    asBefore: (options) => `与之前相同：${options.join(' ')}`,
    notAsBefore: (changes) =>
      `与之前不同：${changes
        .map(({ option, was, now }) => `${typed(option, now)}（之前：${before(was)}）`)
        .join('，')}`,
    leftOutLines: (count) => `其中 ${number(count)} 行无法读取，已略过。`,
    earlier: '上次说到：',
    earlierMore: (messages) => `……此前还有 ${number(messages)} 条消息`,
    you: '你',
    againToEnd: '再按一次 Ctrl-C 结束对话，Ctrl-D 也可以。',
    tooLong: '这条消息太长。',
    interrupting: '正在中断……',
    interrupted: '已中断。接着写，对话就会继续。',
    bye: (id) => (id === undefined ? '已结束。' : `已结束。继续：deep-pilot chat --resume ${id}`),
    unknownCommand: (word, near) =>
      near.length > 0
        ? `没有 /${word}。相近的有：${near.map((name) => `/${name}`).join('、')}。`
        : `没有 /${word}。/help 查看全部；要把它说给模型，请以 // 开头。`,
    helpKeys:
      '按键：Enter 发送；Ctrl-J、Alt-Enter 或行末的 \\ 换行；上下键翻看写过的内容；' +
      'Ctrl-C 中断模型，在提示符处按两次结束对话。以 // 开头的内容会带一个 / 说给模型。',
    noTools: '没有工具。',
    noMatch: (filter) => `没有名称含“${filter}”的工具。`,
    toolTokens: (tools, leftOut, tokens) =>
      `${offered(tools)}${leftOut === 0 ? '' : `，另有 ${number(leftOut)} 个未给模型`}；每次请求约占 ${number(tokens)} token。`,
    deferred: '工具很多：模型用 search_tools 查找。',
    cost: (facts) => `总计：${spent(facts)}`,
    window: (tokens, window) =>
      `说过的话约占 ${number(tokens)} token，上限 ${number(window)}；工具和说明另算。`,
    captureAt: (path, word) =>
      `线上的全部内容录制在 ${path}。查看：deep-pilot captures show ${word}`,
    noCapture: '没有录制：本次会话不保存。',
    model: (model) => `当前模型是 ${model}。换一个：/model PROVIDER:NAME`,
    noModelList: '它的服务不提供模型列表。',
    modelNow: (model) => `从现在起使用 ${model}。`,
    reasoningOn: '从现在起显示模型的思考。',
    reasoningOff: '从现在起折叠模型的思考。',
    badReasoning: (word) => `/reasoning 显示上次的思考，后面只能写 on 或 off，不能写“${word}”。`,
    noReasoning: '模型还没有给出思考内容。',
    compacted: (messages) => `${number(messages)} 条消息不再发送给模型。`,
    nothingToCompact: '没有可以略去的内容。',
    cleared: '开始新的对话。只在会话内允许的调用会重新询问。',
    noCalls: '还没有调用过工具。',
    noSuchCall: (call, calls) => `本次会话中没有调用“${call}”。已有的：${calls.join('、')}。`,
    spentAll: (option) => `${option} 已用完。请结束对话，再用更大的限额和 --resume 继续。`,
    noSessions: '没有保存的会话。',
    head: ['会话', '上次使用', '模型', '消息', '开头'],
  },
  slash: {
    help: '显示本列表',
    tools: '查看工具，或名称含某个词的工具：/tools file',
    servers: '查看各个服务器的状态',
    restart: '重新启动一个服务器，已经放弃的也行：/restart 服务器',
    why: '一次调用的来龙去脉，逐字节：/why t1c1',
    cost: '到目前为止的 token 与费用',
    capture: '录制文件在哪里',
    model: '查看模型，或换一个：/model deepseek:NAME',
    reasoning: '查看上次的思考；on 显示，off 折叠',
    compact: '略去对话的开头部分',
    clear: '开始新的对话',
    exit: '结束对话',
  },
}
