/** The words of `why` in Chinese. */

import { OUTCOMES_ZH } from './outcome-words.ts'
import { ruleTextZh } from './rule-zh.ts'
import type { WhyWords } from './why-words.ts'

export const whyZh: WhyWords = {
  command: '逐字节显示一次工具调用的来龙去脉',
  more: '不带 CALL 时列出所有调用。默认读取最近一次 chat 或 run 的录制文件，也可用 --capture 指定。',
  argumentCall: '调用的编号，例如 t1c1，或模型给它的 id',
  capture: '读取这个录制文件',
  session: '读取这个会话的录制文件，而不是最近一次的',
  run: '录制文件中有多次运行时，指定其中一次',
  full: '长文本也完整显示',
  json: '以 JSON 输出整条链，所有文本都完整',
  twoPlaces: '--capture 和 --session 只能给一个。',
  noCall: (call, calls, path) =>
    `${path} 中没有调用 "${call}"。${calls.length === 0 ? '' : `其中有：${calls.join('、')}。`}`,
  noCalls: (path) => `${path} 中没有带编号的调用。chat、run 以及对已配置服务器的调用才有编号。`,
  severalRuns: (count, run) =>
    `有 ${count} 次运行含有这个编号的调用，这里显示的是运行 ${run} 的。可用 --run 指定另一次。`,
  parts: {
    model: '模型',
    mapping: '工具',
    decision: '决定',
    attempt: (number, server) => `线路上，第 ${number} 次尝试（${server}）`,
    told: '给模型看的结果',
  },
  where: (run, turn, time) =>
    [`运行 ${run}`, turn === '' ? '' : `轮次 ${turn}`, time]
      .filter((part) => part !== '')
      .join(' · '),
  noModel: '没有请求模型：这次调用是手动发起的。',
  noReply: '模型的响应没有录下来。',
  thought: '它的思考：',
  said: '它说：',
  wrote: (name, id) => `它调用了 ${name}（${id}），参数为`,
  tokens: (input, output) => `${input} + ${output} 个 token`,
  again: (seconds, why) => `${seconds} 秒后再次请求${why === '' ? '' : `（原文：${why}）`}`,
  mapped: (name, server, tool) => `${name} 是服务器 "${server}" 的工具 "${tool}"。`,
  mappedRead: (name, server) => `${name} 读取服务器 "${server}" 的一个资源。`,
  mappedNative: (name) => `${name} 是本程序自己的工具。`,
  mappedNone: (name) => `没有名为 ${name} 的工具。`,
  mappedThrough: (name, alias) => `它通过 ${name} 调用了 ${alias}。`,
  noDecision: '没有需要决定的：调用没有走到这一步。',
  verdicts: { allow: '已允许', deny: '已拒绝' },
  by: {
    policy: '由策略决定',
    person: '由人决定',
    grant: '由先前的同意决定',
    flag: '由命令选项决定',
    nobody: '因为无人回答',
  },
  reasons: {
    secret: '参数中含有配置里的机密',
    'protected-file': '参数指向决定宿主权限的文件',
  },
  rule: (rule) => `规则：${ruleTextZh(rule)}`,
  because: (text) => `规则的理由：${text}`,
  hash: (start) => `被判断的参数的 SHA-256 为 ${start}…`,
  sameSent: '，与线路上的参数一致。',
  noFrames: '什么也没有发送。',
  leftOut: (frames) => `另有 ${frames} 条报文没有列出。`,
  error: '错误',
  shownAll: (bytes) => `全部内容，${bytes} 字节：`,
  shownPart: (shown, bytes, artifact) =>
    `${bytes} 字节中的 ${shown} 字节${artifact === '' ? '' : `；全文是 artifact ${artifact}`}：`,
  toldOutcome: (outcome, amount) => `${OUTCOMES_ZH[outcome]}。${amount}`,
  wholeAt: (path) => `全文：${path}`,
  notTold: '没有录下来。',
  outcomes: OUTCOMES_ZH,
  cut: (characters) => `……还有 ${characters} 个字符（--full）`,
}
