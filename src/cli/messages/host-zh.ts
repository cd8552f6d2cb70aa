/** 针对整份配置的命令的中文。 */

import { ADVICE_ZH } from './advice-words.ts'
import { grantsZh } from './grants-zh.ts'
import type { HostWords } from './host-words.ts'
import { pinZh } from './pin-zh.ts'
import { POLICY_PROBLEMS_ZH } from './policy-problems-zh.ts'
import { ruleTextZh, ruleZh } from './rule-zh.ts'
import { heldZh, whyZh } from './status-zh.ts'
import { toolWarningZh } from './tool-warnings-zh.ts'

const list = (names: readonly string[]): string => names.map((name) => `“${name}”`).join('、')

const REASONS: ReadonlyMap<string, string> = new Map([
  ['deny-rule', '有规则禁止它'],
  [
    'broken-policy',
    '策略有一处无法读取，改正之前，这样的调用都要询问；用“deep-pilot policy check”查看错在哪里',
  ],
  ['changed-definition', '它的定义与批准时不同'],
  ['flow', '会话已读过不可信的内容，而这次调用可能把数据带出去'],
  ['ask-rule', '有规则要求先询问'],
  ['new-definition', '它是服务器批准之后才出现的，还没有人看过'],
  ['otherwise', '没有规则提到它'],
  ['read-only', '可信服务器的只读工具按策略要先询问'],
  ['secret', '参数里有配置中的机密'],
  ['native', '程序自带的工具按策略要先询问'],
])

const EVERYTHING = { allow: '一切都允许', ask: '一切都询问', deny: '一切都拒绝' } as const

const ADD = '添加：deep-pilot config add NAME -- COMMAND …'

export const hostZh: HostWords = {
  commands: {
    list: '启动配置中的所有服务器，显示各自的状态',
    listMore:
      'lazy 的服务器不会因此启动。配置中的问题随后显示在 stderr 上。退出码：0 该启动的都已就绪，2 有配置项或服务器的列表无法读取，4 有服务器无法连接。',
    toolsMore: '不写 -- 和 --url 时：列出配置中所有服务器的工具，名称与模型看到的一致。',
    callMore:
      '不写 -- 和 --url 时，工具取自配置，写成 SERVER.TOOL，或模型看到的名称。' +
      '这样的调用要遵守策略：可能先询问你；无人可问即为拒绝（退出码 6）。' +
      '--config 和 --yes 用于这样的调用；规则禁止的，--yes 也不能放行。' +
      '只关于一个服务器的选项（-H、--transport、--era、--revision、--start-timeout、--env、--cwd）和 --no-check 要与 -- 或 --url 同用。',
    doctor: '逐步检查服务器：走到哪一步、用时多少、该怎么办',
    doctorMore:
      '每个服务器单独启动一次，随后结束。退出码：0 一切正常，2 配置或回答有问题，4 无法连接服务器。',
    policy: '查看配置中的策略如何决定',
    policyCheck: '显示每条规则的决定，以及规则中的问题',
    policyCheckMore: '工具取自 deep-pilot.lock.json，不启动任何服务器。规则无法读取时退出码为 2。',
    policyTest: '显示录制的调用中哪些会被允许、询问或拒绝',
    policyTestMore: '按先后逐个判断，因为前面读到的内容会影响后面的调用。不启动、不发送任何东西。',
    policyGrants: '列出你长期允许的工具',
    policyGrantsMore:
      '“总是”的同意有效 30 天，只对一个工具当时的定义和启动方式有效，记在状态目录的 grants.json 里。',
    policyRevoke: '撤销你长期允许的工具',
    policyRevokeMore:
      '撤销之后，下次启动的宿主会重新询问。正在运行的宿主已经读过，结束之前仍按原来的行事。',
    pin: '查看工具自批准以来的新增和变化，并批准',
    pinMore:
      '批准的内容写入 deep-pilot.lock.json。没有终端时，除非给出 --yes，否则什么也不批准。' +
      '项目的文件要用 config approve 单独批准。退出码：0 全部已批准，4 无法连接服务器，6 有内容未批准。',
    verify: '把服务器现在提供的内容与 deep-pilot.lock.json 对比',
    verifyMore:
      '退出码：0 全部与批准时一致，2 有变化，4 无法连接服务器，6 它的文件尚未批准。加 --frozen 时，从未批准的内容、未批准的文件、' +
      '无法读取的配置项、没有服务器或没有锁文件，也都是 2。不写入任何文件。',
    ps: '列出由宿主启动的服务器进程',
    psMore: '孤儿是宿主已被杀死的进程。下一个宿主会结束它；--end 立即结束。',
    argumentServer: '配置中服务器的名称（默认全部）',
    argumentCapture: '录制文件',
    argumentGrant: 'SERVER、SERVER.TOOL，或程序自带工具的名称',
  },
  options: {
    config:
      '使用的配置文件（可重复；默认先是你自己的，再是当前目录的 .mcp.json 和 deep-pilot.json）',
    yes: '对所有询问都回答“是”，不再询问：用于脚本',
    yesPin: '不询问，直接批准',
    schemas: '显示每个工具的参数',
    frozen: '从未批准的一概不放过：用于 CI',
    captureServer: '这份录制属于哪个服务器（默认按录制中的名称）',
    allGrants: '全部撤销',
    end: '结束孤儿进程',
  },
  faults: {
    orConfigure: '（也可以用“deep-pilot config add”配置服务器，或用 --config 指定文件）。',
    unknownServer: (name, near, all) => {
      if (all.length === 0) return `没有服务器“${name}”：尚未配置任何服务器。${ADD}`
      return near.length > 0
        ? `没有服务器“${name}”。相近的有：${list(near)}。`
        : `没有服务器“${name}”。现有：${list(all.slice(0, 10))}。`
    },
    unknownTool: (name, near, count) => {
      if (count === undefined) return `没有工具“${name}”：尚未配置任何服务器。${ADD}`
      return near.length > 0
        ? `没有工具“${name}”。相近的有：${list(near)}。`
        : `${count} 个工具中没有“${name}”。用“deep-pilot tools”查看。`
    },
    twoTools: (name, aliases) =>
      `“${name}”可以指 ${aliases.length} 个工具。请写明是哪一个：${list(aliases)}。`,
    onlyWithServer: (option, hasSetting) =>
      `${option} 只用于写在“--”之后或用 --url 给出的服务器。${hasSetting ? '请改写在配置里。' : '配置中的服务器没有这个设置，请去掉它。'}`,
    onlyWithConfig: (option) =>
      `${option} 只用于配置中的服务器，而这里单独指定了一个。请删除其中之一。`,
    disabled: (server) => `服务器“${server}”在配置中已停用。`,
    unapproved: (server, file) =>
      `服务器“${server}”写在 ${file} 里，而该文件尚未批准。请先查看：deep-pilot config approve`,
  },
  notes: {
    noServers: (files) =>
      files.length === 0
        ? `这里没有配置任何服务器。${ADD}`
        : `${list(files)} 里没有可用的服务器。${ADD}`,
    tools: (count) => `${count} 个工具`,
    process: (pid) => `进程 ${pid}`,
    starting: (servers) => `正在启动 ${servers.join('、')} ……`,
    lost: (server, state, why) => `${server} 断开了（${state}）：${why}`,
    back: (server) => `${server} 回来了。`,
    notReady: (server, state, why) => `${server} 未列入（${state}）：${why}`,
    held: (held) => `已扣留：${heldZh(held)}`,
    heldHint: (count) => `${count} 个工具在批准之前不可用。查看变化：deep-pilot pin`,
    native: '（自带）',
    yesGiven: (question) => `${question}--yes 回答“是”，没有人过目。`,
    advice: ADVICE_ZH,
  },
  states: {
    disabled: '已停用',
    'switched-off': '已停用',
    unapproved: '未批准',
    idle: '未启动',
    connecting: '连接中',
    'needs-auth': '需登录',
    ready: '就绪',
    degraded: '有故障',
    restarting: '重启中',
    failed: '失败',
  },
  why: whyZh,
  consent: {
    server: '服务器',
    native: '程序自身',
    tool: '工具',
    alias: '模型所见名称',
    saysOfItself: '自称',
    notBelieved: (said) => `${said}（不予采信）`,
    hints: {
      readOnly: '只读',
      destructive: '可能破坏或覆盖',
      idempotent: '重复调用效果相同',
      openWorld: '会触及服务器以外',
      none: '无',
    },
    comma: '、',
    definition: '定义',
    pins: {
      new: '新增：在服务器批准之后出现，还没有人看过',
      changed: '与批准时不同',
    },
    why: '询问原因',
    reason: (reason, message) => REASONS.get(reason) ?? message,
    rule: '规则',
    ruleText: ruleTextZh,
    warningText: toolWarningZh,
    because: '规则的理由',
    flow: '数据流向',
    flowText: (source, sink) => `来自 ${source}，可能经 ${sink} 流出`,
    warning: '警告',
    args: '参数',
    modelGets: '模型将收到',
    modelWrote: '模型写了',
    mayCall: (tool, server) =>
      server === undefined ? `调用 ${tool}？` : `调用服务器 ${server} 的 ${tool}？`,
    mayRead: (server) => `读取服务器 ${server} 的这个资源？`,
    mayAskModel: (server) => `允许服务器 ${server} 向你的模型提这个问题？`,
    mayHaveAnswer: (server) => `把这个回答交给服务器 ${server}？`,
    more: '继续显示',
    again: '终端变窄了，再显示一次：',
    morePages: (page, pages) => `第 ${page} 页，共 ${pages} 页。看完才能同意。`,
    answers: {
      deny: '否',
      'deny-because': '否，并说明原因',
      once: '是，仅此一次',
      session: '是，本次会话内都允许这个工具',
      'always-these-arguments': '是，参数完全相同时总是允许',
      always: '是，总是允许这个工具',
    },
    readAnswers: {
      session: '是，本次会话内允许读取这个服务器的任何资源',
      'always-these-arguments': '是，总是允许读取这个资源',
      always: '是，总是允许读取这个服务器的任何资源',
    },
    askReason: '为什么不行？会告诉模型。',
  },
  doctor: {
    steps: {
      config: '配置',
      command: '命令',
      address: '地址',
      start: '启动',
      stderr: 'stderr',
      handshake: '握手',
      era: '方式',
      lists: '列表',
      ping: 'ping',
    },
    skipped: '未检查',
    process: (pid) => `进程 ${pid}`,
    nothing: '无',
    off: '在配置中已停用',
    project: '写在项目的文件里，而该文件尚未批准',
    projectDo: '请查看该文件并批准：deep-pilot config approve',
    mend: '请按提示的位置改正。',
    missing: (command) => `没有命令“${command}”`,
    missingDo: '请安装它，或在配置中写完整路径。',
    noFolder: (path) => `工作目录“${path}”不存在`,
    noFolderDo: '请创建它，或改正配置中的“cwd”。',
    startDo: '请手动运行该命令，看它说什么。它应当保持运行并等待输入。',
    reachDo: '请检查地址，以及服务器是否在那里运行。',
    stderrLines: (count) => `${count} 行`,
    stderrMore: (count) => `……之前还有 ${count} 行`,
    handshakeDo: '它在运行，但没有按协议应答：用“deep-pilot raw ping --trace”查看线上消息。',
    authDo: '它要求表明身份：请在配置的“headers”中写入令牌。',
    era: (era, revision) => `${era}，协议版本 ${revision}`,
    lists: (counts) =>
      counts
        .map(({ list: name, count }) => {
          const word = { tools: '工具', resources: '资源', prompts: '提示词' }[name]
          return `${count} 个${word}`
        })
        .join('、'),
    noLists: '没有声明任何列表',
    listsDo: '它声明了列表却给不出来。请更新服务器，或告知其作者。',
    pingOdd: '它在运行，但没有像每个服务器都必须的那样应答 ping。请告知其作者。',
    pingDo: '启动之后不再响应。请看它的 stderr。',
    doctorSays: (servers, failed, warned) =>
      failed + warned === 0
        ? `${servers} 个服务器，一切正常。`
        : `${servers} 个服务器：${failed} 个有错误，${warned} 个有警告。`,
  },
  policy: {
    grants: grantsZh,
    verdicts: { allow: '允许', ask: '询问', deny: '拒绝', off: '关闭' },
    problems: POLICY_PROBLEMS_ZH,
    problemAt: (where, sentence) => `${where}：${sentence}。`,
    problem: (severity, told) => `${severity === 'error' ? '错误' : '警告'}：${told}`,
    unreadable: (effect, where) =>
      `${EVERYTHING[effect]}，因为策略有一处无法读取${where === '' ? '' : `（${where}）`}`,
    reasons: {
      'deny-rule': '有规则禁止它',
      'broken-policy': '策略有一处无法读取',
      'changed-definition': '它的定义与批准时不同',
      flow: '读过不可信内容之后，数据可能流出',
      'ask-rule': '有规则要求询问',
      'new-definition': '还没有人看过它',
      grant: '之前有人同意过',
      'allow-rule': '有规则允许它',
      'read-only': '可信的服务器称它只读',
      native: '它是程序自带的工具',
      otherwise: '没有规则提到它',
    },
    rule: ruleZh,
    because: (text) => `理由：${text}`,
    about: (names, count) =>
      `涉及 ${count} 个已知工具：${names.join('、')}${count > names.length ? '……' : ''}`,
    aboutNone: '不涉及目前已知的任何工具',
    noneKnown: '还不知道任何工具；“deep-pilot pin”会读取。',
    otherwise: '其他一切',
    readOnly: '可信服务器自称只读的工具',
    flow: '读过不可信内容之后可能带出数据的调用',
    native: '程序自带的工具',
    isDefault: '（默认）',
    isUnread: (where) => `（写的无法读取${where === '' ? '' : `：${where}`}）`,
    calls: ({ allow, ask, deny }) =>
      `${allow + ask + deny} 次调用：允许 ${allow}，询问 ${ask}，拒绝 ${deny}。`,
    noCalls: '这份录制里没有工具调用。',
    unknownServer: (name) =>
      `配置中没有服务器“${name}”，它的调用按陌生服务器判断。可用 --server 指明。`,
  },
  pins: pinZh,
  jobs: {
    none: '没有记录任何服务器进程。',
    head: ['PID', '服务器', '宿主', '已运行', '状态', '命令'],
    running: '运行中',
    orphan: '孤儿',
    gone: '已结束',
    ended: (count) => `已结束 ${count} 个孤儿进程。`,
    orphans: (count) => `${count} 个孤儿进程。结束它们：deep-pilot ps --end`,
  },
}
