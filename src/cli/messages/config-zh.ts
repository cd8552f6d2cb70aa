/** What `deep-pilot config` says in Chinese. */

import type { ConfigWords } from './config-words.ts'
import { faultOfValuesZh, kindZh } from './file-faults-zh.ts'

const list = (names: readonly string[]): string => names.map((name) => `“${name}”`).join('、')

/** Values that hold several words have them joined for English. */
const listed = (words: string | number | undefined): string => String(words).replaceAll(', ', '、')

const TIMERS: ReadonlyMap<string, string> = new Map([
  ['probe', '探测时限'],
  ['start', '启动时限'],
  ['idle', '空闲时限'],
  ['total', '总时限'],
])

export const configZh: ConfigWords = {
  commands: {
    config: '查看和修改服务器配置',
    list: '列出已配置的服务器',
    get: '显示一个服务器的解析结果',
    add: '向配置文件添加服务器',
    addMore:
      '-- 之后的内容用来启动服务器。其中的变量（如 ${TOKEN}）按原样写入，每次启动时再代入；在 shell 里请用单引号。',
    remove: '从配置文件中删除服务器',
    import: '从其他宿主的配置文件导入服务器',
    importMore:
      '不给出宿主或文件时，列出本机上其他宿主的配置文件。没有 --write 就什么都不写；写入前的文件另存为 .bak。',
    explain: '说明服务器的每个值来自哪里',
    doctor: '检查文件、命令和地址，不启动任何东西',
    approve: '查看项目文件中的服务器并允许启动它们',
    approveMore: '批准只对文件的确切内容有效；文件一变就会再次询问。',
    argumentName: '服务器名称',
    argumentNames: '服务器名称（默认：全部）',
    argumentSource: '宿主（如 vscode）或其配置文件的路径',
    argumentFiles: '文件（默认：当前目录中的项目文件）',
  },
  options: {
    config: '只读取此文件（可重复；默认：先读你自己的，再读当前目录的）',
    target: '要修改的文件（默认：你自己的配置文件）',
    replace: '覆盖同名的服务器',
    env: '给服务器的变量；只写 NAME 则传递我们的同名变量（可重复）',
    cwd: '服务器的工作目录',
    url: '正在运行的服务器的地址：http(s)://、ws(s):// 或 unix:PATH',
    header: '要发送的请求头，例如 "Authorization: Bearer ${TOKEN}"（可重复）',
    transport: '访问该地址的方式：http、sse 或 ws（默认：自动判断）',
    write: '把服务器写入文件',
    yes: '对所有问题回答“是”',
    revoke: '撤回批准',
  },
  faults: {
    unknownServer: (name, near, all) => {
      if (all.length === 0)
        return `没有服务器“${name}”：尚未配置任何服务器。添加：deep-pilot config add NAME -- COMMAND …`
      return near.length > 0
        ? `没有服务器“${name}”。相近的有：${list(near)}。`
        : `没有服务器“${name}”。现有：${list(all.slice(0, 10))}。`
    },
    noTarget: '请说明要添加什么：-- 之后写命令，或用 --url 给出地址。',
    twoTargets: '服务器要么由命令启动，要么由 --url 访问，请只给一种。',
    unfitOption: (option, other) => `${option} 只用于由 ${other} 给出的服务器。`,
    badHeader: '请求头写作“名称: 值”。',
    badTransport: (value) => `--transport 不能是“${value}”。请用 http、sse 或 ws。`,
    unknownHost: (value, hosts) => `“${value}”既不是宿主也不是文件。宿主有：${hosts.join('、')}。`,
    nothingHere: '当前目录没有项目文件，请指定一个。',
    needsYes: (what) => `这里无法询问。请先查看 ${what}，再加 --yes 重试。`,
    notApproved: '未批准，其中的服务器不会启动。',
  },
  notes: {
    noServers: '尚未配置服务器。添加：deep-pilot config add NAME -- COMMAND …',
    added: (name, file) => `已把“${name}”添加到 ${file}。`,
    removed: (name, file) => `已从 ${file} 删除“${name}”。`,
    literalSecret: (name) =>
      `“${name}”里有看起来像机密的内容，现在写在了文件里。最好改用变量：\${NAME}。`,
    problem: (severity, where, server, sentence) =>
      `${severity === 'error' ? '错误' : '警告'}：${where}：${server === undefined ? '' : `服务器“${server}”：`}${sentence}`,
    found: (title, path, count) => `${title}：${path} 中有 ${count} 个服务器`,
    noFiles: '没有找到其他宿主的配置文件。',
    importHint: '导入服务器：deep-pilot config import HOST --write',
    imported: (count, file) => `已把 ${count} 个服务器写入 ${file}。`,
    skipped: (name, file) => `“${name}”已在 ${file} 中；用 --replace 覆盖。`,
    wouldImport: (count, file) => `可向 ${file} 写入 ${count} 个服务器。尚未写入；请加 --write。`,
    backup: (path) => `原文件保存为 ${path}。`,
    askImport: (count, file) => `把这 ${count} 个服务器写入 ${file} 吗？此后启动它们时不再询问。`,
    disabled: '已停用',
    unapproved: '未批准',
    ready: '已配置',
  },
  checks: {
    where: '位置',
    facts: {
      command: '命令',
      env: '变量',
      cwd: '工作目录',
      url: '地址',
      header: '请求头',
      start: '启动方式',
      file: '文件',
    },
    fact: (name, text) => `${name}：${text}`,
    timer: (name) => TIMERS.get(name) ?? name,
    scopes: { user: '你自己的', project: '项目的', given: '指定的' },
    origins: (sources) => `（${sources.join('；')}）`,
    at: (where, sentence) => `${where}：${sentence}`,
    from: {
      literal: '直接写出',
      variable: (name) => `变量 ${name}`,
      default: (name) => `默认值（${name} 未设置）`,
      input: (id) => `输入 ${id}`,
      folder: (name) => `目录 ${name}`,
      file: (path) => `文件 ${path}`,
    },
    builtIn: '默认',
    ok: '正常',
    warning: '注意',
    error: '错误',
    filesRead: (count) => `读取了 ${count} 个文件`,
    commandFound: (command, path) => `命令 ${command} 位于 ${path}`,
    commandMissing: (command) => `没有命令“${command}”。请安装它，或写出完整路径`,
    commandUnapproved: '其文件尚未批准：deep-pilot config approve',
    folderMissing: (path) => `工作目录“${path}”不存在`,
    address: (url) => `地址 ${url}`,
    plainHttp: '含机密的请求头经由明文 http 发往另一台机器，沿途任何人都能读到',
    off: '已停用',
    fine: '没有问题。',
    faults: (errors, warnings) => `${errors} 个错误，${warnings} 个警告。`,
  },
  approve: {
    nothing: '没有需要批准的内容。',
    file: (path, sha256) => `${path}\n  SHA-256 ${sha256}`,
    already: (path) => `${path} 已批准。`,
    warning:
      '这个文件随项目而来。批准之后，下列命令将以你的权限在本机运行，下列地址将收到所示的请求头：',
    server: (name) => `服务器“${name}”`,
    expanded: '代入后',
    unreadable: '目前无法使用；写的是',
    changed: '自上次批准后有改动',
    fresh: '自上次批准后新增',
    unchanged: '与上次批准时相同',
    question: (path) => `批准 ${path} 吗？`,
    yes: '是，允许这些服务器',
    no: '否',
    approved: (path) => `已批准：${path}`,
    refused: (path) => `未批准：${path}`,
    revoked: (path, count) => `已撤回 ${count} 次批准：${path}`,
  },
  problems: {
    empty: () => '文件是空的，没有写任何服务器。',
    unreadable: (values) => `文件无法读取：${faultOfValuesZh(values)}。`,
    syntax: (values) => `文件有语法错误：${faultOfValuesZh(values)}。`,
    'no-servers': ({ looked }) => `这里没有写任何服务器。查找过：${listed(looked)}。`,
    'too-many-servers': ({ limit }) => `服务器超过 ${limit} 个，多出的被忽略；请拆分文件。`,
    'not-a-list-of-servers': ({ key, found }) =>
      `“${key}”应当是以服务器名称为键的对象，现在是${kindZh(found)}。`,
    'duplicate-key': ({ key, line, first }) =>
      `“${key}”写了两次${first === undefined || line === undefined ? '' : `（第 ${first} 行和第 ${line} 行）`}。以最后一个为准；请删除另一个。`,
    replaced: ({ key, other }) => `“${key}”取代了 ${other} 中的同名服务器。`,
    kept: ({ key, other }) => `${other} 中也有服务器“${key}”，但尚未批准；在此之前保留这一个。`,
    unapproved: ({ count }) =>
      `这个项目文件尚未批准，其中的 ${count} 个服务器不会启动。查看它们：deep-pilot config approve`,
    'bad-key': () => '服务器名称应为 1 到 128 个可见字符。请换一个名称。',
    'not-an-object': ({ found }) =>
      `服务器应当是带有 "command" 或 "url" 的对象，现在是${kindZh(found)}。`,
    'no-target': () => '既没有命令也没有地址。请写 "command" 或 "url"。',
    'two-targets': ({ first, second }) => `同时写了“${first}”和“${second}”。请只留一个。`,
    'two-spellings': ({ first, second }) =>
      `“${first}”和“${second}”含义相同但内容不同。请只留一个。`,
    'wrong-type': ({ key, expected, found }) =>
      `“${key}”的类型不对：应为${kindZh(expected)}，现在是${kindZh(found)}。`,
    'empty-text': ({ key }) => `“${key}”是空的。请写上内容或删除它。`,
    'too-long': ({ key, limit }) => `“${key}”超过 ${limit}，没有系统能接受。`,
    'nul-character': ({ key }) => `“${key}”含有 NUL 字符，不能交给命令。`,
    'unknown-transport': ({ key, value, choices }) =>
      `“${key}”不能是“${value}”。请用其中之一：${listed(choices)}。`,
    'unfit-transport': ({ transport, key }) =>
      `传输方式 ${transport} 与“${key}”不相配。请改其中一个。`,
    'not-mcp': ({ value }) => `“${value}”类服务器内置于其宿主，别处无法访问，因此忽略。`,
    'bad-url': ({ key }) =>
      `“${key}”不是可以访问的地址。请写 http(s)://…、ws(s)://… 或 unix:PATH。`,
    'url-credentials': ({ key }) => `“${key}”含有用户名或密码。请改用请求头发送。`,
    'bad-header-name': ({ header }) => `“${header}”不能作为请求头名称。`,
    'bad-header-value': ({ header }) => `请求头“${header}”的值含有换行或其他控制字符。请删除。`,
    'bad-variable-name': ({ name }) => `“${name}”不能作为变量名称。`,
    'unset-variable': ({ name, key }) =>
      `“${key}”用到变量 ${name}，但它未设置。请设置它，或在名称之后写上默认值，如“\${NAME:-value}”。`,
    'unset-input': ({ id, key }) =>
      `“${key}”用到输入“${id}”，但没有它的值。请在询问时输入，或改用变量。`,
    'unknown-input': ({ id, key }) => `“${key}”用到输入“${id}”，但 "inputs" 没有描述它。`,
    'bad-reference': ({ reference, key }) =>
      `“${key}”用到“${reference}”，它在这里没有意义。变量写作 \${NAME}，字符本身写作 $\${…}。`,
    placeholder: ({ reference, key }) =>
      `“${key}”用到“${reference}”，只有它自己的宿主才能代入。变量写作 \${NAME}。`,
    'file-reference': ({ key }) => `“${key}”的值取自文件，这里不支持。请放进变量：\${NAME}。`,
    'env-file': (values) => `变量文件“${values['file']}”无法使用：${faultOfValuesZh(values)}。`,
    'bad-timer': ({ key }) => `“${key}”应为不小于 1 毫秒、不超过 24 天的数。`,
    'short-timer': ({ key, ms }) =>
      `“${key}”按 ${ms} 毫秒读取，太短，因此忽略。若指秒，请写 ${Number(ms) * 1000}。`,
    'bad-number': ({ key, least, most }) => `“${key}”应为 ${least} 到 ${most} 的整数。`,
    'bad-choice': ({ key, choices }) => `“${key}”应为其中之一：${listed(choices)}。`,
    'project-trust': ({ key }) =>
      `项目文件不能为自己设置“${key}”，因此忽略。请在你自己的文件里设置。`,
    'not-taken': ({ key }) =>
      `“${key}”在其他宿主里让调用免于询问，这里不沿用；请在 deepPilot.policy 下写规则。`,
    unsupported: ({ key }) => `“${key}”在这里不支持，因此忽略。`,
    'unknown-setting': ({ key, choices }) => `没有“${key}”这个设置。可用的有：${listed(choices)}。`,
    'dangerous-variable': ({ name }) =>
      `它设置了变量 ${name}，可以让任何程序运行别的代码。批准之前请先看它的值。`,
    unpinned: ({ launcher, package: name }) =>
      `${launcher} 每次启动都取 ${name} 的最新版本。请在名称后写明版本。`,
  },
}
