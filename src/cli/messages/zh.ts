/** 中文。 */

import { damageZh } from './damage-zh.ts'
import { tellRecordedZh, tellZh } from './failure-zh.ts'
import type { Messages } from './messages.ts'
import { systemReasonZh } from './system-reasons-zh.ts'

const list = (names: readonly string[]): string => names.map((name) => `“${name}”`).join('、')
const maybe = (similar: string | undefined): string =>
  similar === undefined ? '' : `是不是想写 ${similar}？`

export const zh: Messages = {
  language: 'zh',
  help: {
    usage: '用法：',
    arguments: '参数：',
    options: '选项：',
    commonOptions: '所有命令通用的选项：',
    commands: '命令：',
    examples: '示例：',
    help: '显示帮助',
    helpCommand: '显示某个命令的帮助',
    helpArgument: '命令名称（默认：全部）',
    version: '显示版本号',
  },
  commands: {
    program: '在终端里使用 Model Context Protocol：工具、资源、提示词，以及线上的每条消息。',
    demo: '用真实的服务器演示一遍，显示全部线上消息；不需要密钥和网络',
    tools: '列出一个服务器的工具，或所有已配置的',
    call: '调用服务器的一个工具并输出结果',
    callMore:
      '名称=值 是文本，工具的 schema 要求数字、布尔值或 JSON 时会自动转换。' +
      '名称:=JSON 原样作为 JSON。列表可以多次写同一个名称。' +
      '退出码：0 成功，5 工具报错或工具不存在。',
    resources: '列出服务器的资源',
    read: '读取服务器的一个资源',
    readMore: '文本原样输出。二进制内容写入文件（--output）或管道，不会输出到终端。',
    prompts: '列出服务器的提示词',
    promptsMore: '按调用时的写法显示：NAME= 必须给出，[NAME=] 可以省略。',
    prompt: '获取服务器的一个提示词并输出其中的消息',
    complete: '向服务器请求某个参数的补全建议',
    discover: '显示服务器对自己的说明',
    ping: '检查服务器是否有响应，并显示用时',
    pingMore: '握手之后发送 ping；不握手的新方式没有 ping，改为发送 server/discover。',
    listen: '显示服务器上的变化，按 Ctrl-C 结束',
    listenMore: '不写这些选项时：监听服务器声明会通知变化的所有列表。',
    raw: '发送任意请求，结果以 JSON 输出',
    rawMore: '方法必须存在于所用的协议版本中，参数原样发送。用 --revision 选择版本。',
    serve: '运行一个演示服务器，通过标准输入输出或 HTTP',
    serveMore:
      '通过 HTTP 时为所有协议版本的客户端服务，按 Ctrl-C 结束。监听本机以外的地址需要 --allow-host 和 --token-env。',
    captures: '查看录制的线上消息',
    capturesShow: '逐条显示录制的消息',
    argumentTool: '工具名称',
    argumentPairs: '工具的参数：名称=值 或 名称:=JSON',
    argumentUri: '资源的 URI',
    argumentPrompt: '提示词名称',
    argumentTexts: '提示词的参数，全部是文本',
    argumentCompleted: '要补全的参数或变量的名称',
    argumentBeginning: '已经写下的开头（默认为空）',
    argumentMethod: '请求的方法，如 tools/list',
    argumentParams: '请求的参数，一个 JSON 对象：文本、@文件，或 - 表示标准输入',
    argumentServer: '运行哪个服务器',
    argumentFile: '录制文件',
  },
  options: {
    lang: '提示语言：en 或 zh（默认取自 LC_ALL、LC_MESSAGES、LANG）',
    logLevel:
      'debug、info、warn、error 或 silent，也可单独指定模块：warn,client=debug（默认 warn，或 DEEP_PILOT_LOG_LEVEL）',
    logJson: '日志以 JSON 行输出',
    json: '结果以 JSON 输出，错误在 stderr 上输出一行 JSON',
    args: '全部参数写成一个 JSON 对象：文本、@文件，或 - 表示标准输入',
    check: '不按工具的 schema 检查参数',
    trace: '在 stderr 上显示每条线上消息',
    capture: '把全部线上消息录到 FILE，敏感内容会被遮盖',
    existing: '--capture 的文件已存在时怎么办（默认 refuse：拒绝）',
    era: '通信方式：先握手（legacy）、不握手（modern）、自动判断（auto）',
    revision: '只用这个协议版本，否则失败',
    timeout: '没有任何动静时最多等多少毫秒（默认 60000）',
    totalTimeout: '一次调用总共最多等多少毫秒（默认 600000）',
    startTimeout: '启动服务器最多等多少毫秒（默认 30000；npx 等为 120000）',
    env: '给服务器设置环境变量；只写名称则传递当前的值（可重复）',
    cwd: '服务器的工作目录',
    url: '已在运行的服务器的地址：http(s)://、ws(s):// 或 unix:路径',
    header: '发送一个请求头；值里的 ${NAME} 取自环境变量 NAME，令牌就不会出现在命令行里（可重复）',
    transport: '连接方式（默认 auto：先试 Streamable HTTP，再试 HTTP+SSE）',
    templates: '列出用来命名其他资源的模板',
    output: '把内容写入新文件 FILE',
    completePrompt: '补全这个提示词的参数',
    completeResource: '补全这个资源模板的变量',
    context: '另一个已确定的参数的值（可重复）',
    listenTools: '工具列表变化时通知',
    listenPrompts: '提示词列表变化时通知',
    listenResources: '资源列表变化时通知',
    listenUri: '这个资源变化时通知（可重复）',
    offline: '不查询天气服务，返回示例数据',
    http: '通过 HTTP 提供服务，地址显示在 stderr 上',
    port: '监听的端口（默认任选一个空闲端口）',
    host: '监听的地址（默认 127.0.0.1，仅限本机）',
    path: '服务的路径（默认 /mcp）',
    allowHost: '允许客户端使用的主机名，如 mcp.example.com（可重复）',
    tokenEnv: '只接受带有环境变量 NAME 中令牌的客户端',
  },
  faults: {
    unknownOption: (option, similar) => `没有选项 ${option}。${maybe(similar)}`,
    serverOption: (example) => `如果它属于服务器的启动命令，请在该命令前加上 "--"：${example}`,
    unknownCommand: (command, similar) =>
      `没有命令“${command}”。${maybe(similar) || '全部命令：deep-pilot help'}`,
    missingArgument: (name) => `缺少 ${name}。`,
    missingValue: (option) => `选项 ${option} 缺少值。`,
    badChoice: (option, value, choices) =>
      `${option} 不能是“${value}”。可选：${choices.join('、')}。`,
    excessArguments: (words) => `多余的内容：${words}。请删除。`,
    tooManyArguments: (command) => `“${command}”后面的内容太多。请删除多余的；加 --help 查看用法。`,
    noSeparator: (command, word) =>
      word === undefined
        ? `没有指定服务器。请把它的启动命令写在“--”之后：${command} -- node server.js。或给出地址：${command} --url https://example.com/mcp`
        : `这里不应出现“${word}”。请把服务器的启动命令写在“--”之后：${command} -- ${word} …`,
    noServerCommand: (command) =>
      `“--”之后是空的。请在那里写服务器的启动命令：${command} -- node server.js`,
    strayServerCommand: (command) => `${command} 不启动别的服务器。请删除“--”及其后的内容。`,
    twoServers: '指定了两个服务器：--url 一个，“--”之后的命令一个。请删除其中一个。',
    badUrl:
      '--url 必须以 http://、https://、ws://、wss:// 或 unix: 开头，如 https://example.com/mcp。',
    brokenUrl: '--url 不是可以访问的地址。请写完整，如 https://example.com/mcp。',
    unfitTransport: (transport, choices) =>
      `--transport ${transport} 不适用于这个服务器。可选：${choices.join('、')}。`,
    unfitOption: (option) =>
      option === '-H'
        ? '请求头（-H）只用于以 http、https、ws 或 wss 开头的地址。请删除。'
        : `${option} 用于启动服务器，而 --url 不启动任何服务器。请删除。`,
    badHeader: '请求头（-H）必须写成“名称: 值”。',
    unsetHeaderVariable: (header, variable) =>
      `请求头 ${header} 需要环境变量 ${variable}，但它没有设置。请先设置。`,
    badMilliseconds: (option, value) =>
      `${option} 不能是“${value}”。请写 1 到 2147483647 之间的整数毫秒。`,
    badVariable: (value) => `--env 不能是“${value}”。请写 名称=值，或只写名称以传递当前的值。`,
    unsetVariable: (name) =>
      `--env ${name} 无法传递：当前没有这个环境变量。请先设置，或写成 ${name}=值。`,
    badLogLevel: (value, place) =>
      `${place} 不能是“${value}”。请写 级别 或 级别,模块=级别，级别为 debug、info、warn、error 或 silent。`,
    badLanguage: (value) => `--lang 不能是“${value}”。可选：en、zh。`,
    badPair: (word) => `“${word}”不是工具参数。请写 名称=值 或 名称:=JSON。`,
    emptyName: (word) => `“${word}”的“=”前面没有名称。请写 名称=值 或 名称:=JSON。`,
    givenTwice: (name) => `“${name}”写了两次，而它不是列表。请只写一次。`,
    wrongType: (name, value, types) =>
      `“${name}”不能是“${value}”：工具需要 ${types}。请改正，或写成 ${name}:=JSON。`,
    or: ' 或 ',
    badJson: (place, problem) => `${place} 不是有效的 JSON：${problem}`,
    notObject: (place, kind) => `${place} 必须是 JSON 对象，如 {"name": "value"}，现在是${kind}。`,
    tooLarge: (place, megabytes) => `${place} 超过 ${megabytes} MiB。请缩小。`,
    tooDeep: (place, depth) => `${place} 嵌套超过 ${depth} 层。请减少层数。`,
    notUtf8: (place) => `${place} 不是 UTF-8 文本。请另存为 UTF-8。`,
    noFile: (path) => `没有文件“${path}”。请检查路径，或创建该文件。`,
    unreadableFile: (path, error) => `无法读取“${path}”：${systemReasonZh(error)}。`,
    noFileName: (place) => `${place} @ 后面要写文件名，如 @arguments.json。`,
    standardInput: '标准输入',
    unknownTool: (name, near, all) => {
      if (all.length === 0) return `没有工具“${name}”：服务器没有提供任何工具。`
      return near.length > 0
        ? `没有工具“${name}”。相近的有：${list(near)}。`
        : `没有工具“${name}”。服务器提供 ${all.length} 个工具，例如${list(all.slice(0, 5))}。`
    },
    unknownPrompt: (name, near, all) => {
      if (all.length === 0) return `没有提示词“${name}”：服务器没有提供任何提示词。`
      return near.length > 0
        ? `没有提示词“${name}”。相近的有：${list(near)}。`
        : `没有提示词“${name}”。服务器提供 ${all.length} 个提示词，例如${list(all.slice(0, 5))}。`
    },
    badTextPair: (word) => `“${word}”不是带名称的文本。请写 名称=值。`,
    namedTwice: (name) => `“${name}”写了两次。请只写一次。`,
    onePromptOrResource: '请说明是谁的参数，二选一：--prompt 名称 或 --resource 模板。',
    tellsNoChanges: '这个服务器没有声明会通知任何列表的变化。请用 --uri 写明资源。',
    notBase64: '资源的内容不是 Base64。请告知服务器的作者。',
    binaryToTerminal: (what) =>
      `内容是二进制（${what}），不适合显示在终端。请用 --output FILE 写入文件，或写入管道。`,
    mixedContents: (count) =>
      `这个资源有 ${count} 份内容，并非都是文本。请用 --json 获取全部内容。`,
    severalContents: (count) =>
      `这个资源有 ${count} 份内容，而 --output 只能写一份。请用 --json 获取全部内容。`,
    fileExists: (path) => `“${path}”已存在。请换一个名称，或先删除它。`,
    unwritableFile: (path, error) => `无法写入“${path}”：${systemReasonZh(error)}。`,
    badPort: (value) => `--port 不能是“${value}”。请写 0 到 65535 之间的数字。`,
    onlyOverHttp: (option) => `${option} 只用于 HTTP 服务。请加上 --http。`,
    onlyWithCapture: (option) =>
      `${option} 只与 --capture 同用。请加上 --capture，或去掉 ${option}。`,
    captureThere: (path) =>
      `无法录制到“${path}”：文件已存在。请换一个文件名，或加上 --existing replace 或 --existing append。`,
    openToOthers: (host, missing) =>
      `在 ${host} 上监听会向其他机器开放，而没有给出 ${missing.join(' 和 ')}。请补上，或去掉 --host。`,
    unsetToken: (name) => `--token-env ${name} 指定的环境变量没有设置。请先把令牌存入其中。`,
    json: {
      at: (line, column) => `第 ${line} 行第 ${column} 列：`,
      empty: '内容是空的',
      end: '提前结束，有内容没有闭合',
      unexpected: (found, expected) => `此处是 ${found}，应为${expected}`,
      value: '一个值',
      name: '双引号括起的名称',
      colon: ' “:”',
      commaOrBrace: ' “,”或“}”',
      commaOrBracket: ' “,”或“]”',
      nothingMore: '结尾',
      control: '字符串里有换行或其他控制字符；换行请写 \\n',
      escape: '字符串里的反斜杠不是转义；反斜杠请写 \\\\',
    },
  },
  notes: {
    noTools: '服务器没有提供任何工具。',
    noResources: '服务器没有列出任何资源。',
    noTemplates: '服务器没有提供任何资源模板。',
    noPrompts: '服务器没有提供任何提示词。',
    noContents: '这个资源是空的。',
    content: (at, count, uri) => `第 ${at} 份内容，共 ${count} 份：${uri}`,
    cut: (shown, all) => `只显示了 ${all} 个字符中的前 ${shown} 个。写入文件或管道可得到全部内容。`,
    saved: (path, what) => `已保存为 ${path}（${what}）。`,
    noSuggestions: '服务器没有建议。',
    moreSuggestions: (shown, total) =>
      total === undefined
        ? `显示了 ${shown} 条，还有更多。`
        : `显示了 ${shown} 条，共 ${total} 条。`,
    pong: (name, ms, method) => `${name} 在 ${ms} ms 内响应（${method}）`,
    listening: (what) => `正在监听变化：${what}。按 Ctrl-C 结束。`,
    listenedToEnd: '服务器结束了变化通知。',
    serving: (name, url) => `${name} 的服务地址：${url}（按 Ctrl-C 结束）`,
    waiting: (name) =>
      `${name} 正在等待客户端写入标准输入（按 Ctrl-C 结束）。通常由客户端来启动它：deep-pilot tools -- deep-pilot serve ${name}`,
    toolFailed: '工具报告了错误。',
    cancelled: '已取消。',
    cancelling: '正在取消；再按一次 Ctrl-C 立即停止。',
    stderrTail: '服务器的 stderr 输出：',
    bug: '这是 deep-pilot 自身的错误，请连同以下内容反馈：',
    captureLost: (path, count, reason) =>
      `录制文件“${path}”不完整：丢失 ${count} 条记录。${reason}`,
    damage: damageZh,
    moreDamage: (count) => `另有 ${count} 处损坏。`,
    gap: (count, reason) => `此处缺少 ${count} 条记录${reason === '' ? '' : `（原文：${reason}）`}`,
  },
  discover: {
    server: '名称',
    website: '网站',
    about: '简介',
    revision: '协议版本',
    revisions: '支持版本',
    capabilities: '功能',
    extensions: '扩展',
    instructions: '使用说明',
    none: '无',
    more: (characters) => `……还有 ${characters} 个字符，全文请用 --json`,
  },
  changes: {
    tools: '工具',
    prompts: '提示词',
    resources: '资源',
    comma: '、',
    listChanged: (list) => `${list}列表有变化`,
    oneChanged: (uri) => `有变化：${uri}`,
  },
  demo: {
    intro: (program) =>
      `${program}：真实的服务器，线路上的每条消息都看得见。不需要密钥，不需要网络。`,
    rootFolder: (path) => `目录：${path}`,
    absent:
      '这里没有安装官方 filesystem 服务器（npm install @modelcontextprotocol/server-filesystem），跳过这一步。',
    filesystem: 'filesystem：别人写的服务器',
    calculator: 'calculator：自己的服务器，先握手',
    weather: 'weather：自己的服务器，离线',
    calculatorModern: '再次运行 calculator：不握手的新方式',
    handshake: (server) => `握手成功，Server: ${server}`,
    discovered: (server) => `无需握手，服务器：${server}`,
    unnamed: '（没有名称）',
    revision: (revision, era) => `协议版本：${revision}（${era}）`,
    tools: (count) => `发现 ${count} 个工具:`,
    toolNames: (names) => `可用工具: [${names.map((name) => `'${name}'`).join(', ')}]`,
    noFileHere: '这个目录里没有可读的文件。',
    reading: (name) => `读取 ${name}`,
    first100: (text) => `读取结果前100字符: ${text}`,
    outside: (path) => `读取目录之外的路径：${path}`,
    toolError: (text) => `被工具拒绝：${text}`,
    noOutside: '这个目录之外没有别的路径，不再演示拒绝。',
    result: (call, text) => `${call}: ${text}`,
    failed: (part) => `${part} 失败：`,
    outro: (parts, messages) => `完成：${parts} 个连接，${messages} 条消息。`,
  },
  config: async () => (await import('./config-zh.ts')).configZh,
  host: async () => (await import('./host-zh.ts')).hostZh,
  agent: async () => (await import('./agent-zh.ts')).agentZh,
  questions: async () => (await import('./question-zh.ts')).questionZh,
  colon: '：',
  families: {
    rpc: '服务器返回错误',
    protocol: '服务器违反了协议',
    transport: '无法连接服务器',
    timeout: '等待超时',
    cancelled: '已取消',
    model: '模型没有回复',
    capability: '此服务器不支持',
    schema: '值不符合 schema',
    policy: '不允许',
    auth: '未授权',
    usage: '错误',
    config: '配置错误',
    internal: '内部错误',
  },
  numbered: (code) => `（${code}）`,
  told: tellZh,
  toldAgain: tellRecordedZh,
}
