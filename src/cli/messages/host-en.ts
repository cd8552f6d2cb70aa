/** What the commands over all servers of a configuration say in English. */

import { POLICY_PROBLEM_WORDS } from '../../policy/problem.ts'
import { ADVICE_EN } from './advice-words.ts'
import { ruleText } from '../../policy/sentences.ts'
import { grantsEn } from './grants-en.ts'
import type { HostWords } from './host-words.ts'
import { pinEn } from './pin-en.ts'

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
const several = (count: number, one: string): string => `${count} ${one}${count === 1 ? '' : 's'}`

/** Where the lines below say the rest. */
const SHORT: ReadonlyMap<string, string> = new Map([
  ['otherwise', 'No rule is about it.'],
  ['ask-rule', 'A rule wants it to be asked.'],
])

const ADD = 'Add one with: deep-pilot config add NAME -- COMMAND …'

export const hostEn: HostWords = {
  commands: {
    list: 'start all servers of the configuration and tell how each of them is',
    listMore:
      'Lazy servers are not started for this. Problems of the configuration follow on stderr. Exit code: 0 all that are wanted are ready, 2 an entry or a list of a server cannot be read, 4 a server cannot be reached.',
    toolsMore:
      'Without -- and --url: the tools of all servers of the configuration, under the names that a model gets.',
    callMore:
      'Without -- and --url the tool is one of the configuration, named SERVER.TOOL or by the name that a model gets. ' +
      'Such a call goes by the policy: it may ask you first, and where nobody can be asked that is a no (exit code 6). ' +
      '--config and --yes are for such calls; what a rule denies stays denied with --yes. ' +
      'All that is about one server (-H, --transport, --era, --revision, --start-timeout, --env, --cwd) and --no-check goes with -- or --url.',
    doctor: 'check servers step by step: how far each gets, in what time, and what to do',
    doctorMore:
      'Starts each server once, all by itself, and ends it. Exit code: 0 all is well, 2 the configuration or an answer is not, 4 a server cannot be reached.',
    policy: 'look at what the policy of the configuration decides',
    policyCheck: 'tell what every rule decides, and what is wrong with them',
    policyCheckMore:
      'Tools are those in deep-pilot.lock.json; nothing is started. Exit code 2 when a rule cannot be read.',
    policyTest: 'tell which calls of a recorded wire would be allowed, asked or denied',
    policyTestMore:
      'Calls are judged one after the other, as what one has read may matter for the next. Nothing is started or sent.',
    policyGrants: 'list what you allowed for longer than a session',
    policyGrantsMore:
      'A yes for always holds for 30 days, for one tool as it was defined and started then. They are kept in grants.json of the state folder.',
    policyRevoke: 'take back what you allowed for longer than a session',
    policyRevokeMore:
      'What is taken back is asked again from the next start of a host on. One that is running has read its grants, and goes by them until it ends.',
    pin: 'look at what is new or different about tools since they were approved, and approve it',
    pinMore:
      'What is approved is written into deep-pilot.lock.json. Without a terminal nothing is approved unless --yes is given. ' +
      'A file of the project is approved by itself, with config approve. Exit code: 0 all is approved, 4 a server cannot be reached, 6 something is not approved.',
    verify: 'compare what servers offer with deep-pilot.lock.json',
    verifyMore:
      'Exit code: 0 all is as approved, 2 something is different, 4 a server cannot be reached, 6 nobody approved its file. With --frozen it is 2 ' +
      'also when something was never approved, the file and an entry that cannot be read among it, and when there is no server or no lock file. Nothing is written.',
    ps: 'list the processes of servers that hosts have started',
    psMore: 'An orphan is one whose host was killed. The next host ends it; --end does so now.',
    argumentServer: 'name of the server in the configuration (default: all)',
    argumentCapture: 'the recorded wire',
    argumentGrant: 'SERVER, SERVER.TOOL, or the name of a tool of the program itself',
  },
  options: {
    config:
      'configuration to use (repeatable; default: your own, then .mcp.json and deep-pilot.json of this folder)',
    yes: 'answer every question with yes, without asking: for scripts',
    yesPin: 'approve without asking',
    schemas: 'show what arguments each tool takes',
    frozen: 'let nothing pass that was never approved: for CI',
    captureServer: 'the server whose wire this is (default: as it is named in there)',
    allGrants: 'take back everything',
    end: 'end the orphans',
  },
  faults: {
    orConfigure:
      ' (or configure servers with "deep-pilot config add", or name a file with --config).',
    unknownServer: (name, near, all) => {
      if (all.length === 0) return `There is no server "${name}": none is configured. ${ADD}`
      return near.length > 0
        ? `There is no server "${name}". Near to it: ${list(near)}.`
        : `There is no server "${name}". There are: ${list(all.slice(0, 10))}.`
    },
    unknownTool: (name, near, count) => {
      if (count === undefined) return `There is no tool "${name}": no server is configured. ${ADD}`
      return near.length > 0
        ? `There is no tool "${name}". Near to it: ${list(near)}.`
        : `There is no tool "${name}" among ${several(count, 'tool')}. "deep-pilot tools" lists them.`
    },
    twoTools: (name, aliases) =>
      `"${name}" could be ${aliases.length} tools. Name the one you mean: ${list(aliases)}.`,
    onlyWithServer: (option, hasSetting) =>
      `${option} is for a server that is named behind "--" or by --url. ${hasSetting ? 'Write it into the configuration instead.' : 'Servers of a configuration have no such setting: leave it out.'}`,
    onlyWithConfig: (option) =>
      `${option} is for the servers of a configuration, and here a server is named by itself. Remove one of them.`,
    disabled: (server) => `The server "${server}" is switched off in the configuration.`,
    unapproved: (server, file) =>
      `The server "${server}" stands in ${file}, which nobody approved yet. Look at it with: deep-pilot config approve`,
  },
  notes: {
    noServers: (files) =>
      files.length === 0
        ? `No server is configured here. ${ADD}`
        : `There is no server that can be used in ${list(files)}. ${ADD}`,
    tools: (count) => several(count, 'tool'),
    process: (pid) => `pid ${pid}`,
    starting: (servers) => `Starting ${servers.join(', ')} …`,
    lost: (server, state, why) => `${server} was lost (${state}): ${why}`,
    back: (server) => `${server} is back.`,
    notReady: (server, state, why) => `${server} is left out (${state}): ${why}`,
    held: ({ reason }) => `held back: ${reason}`,
    heldHint: (count) =>
      `${several(count, 'tool')} held back until approved. Look at what changed with: deep-pilot pin`,
    native: '(built in)',
    yesGiven: (question) => `${question} Yes, says --yes; nobody looked at it.`,
    advice: ADVICE_EN,
  },
  states: {
    disabled: 'disabled',
    'switched-off': 'switched off',
    unapproved: 'not approved',
    idle: 'idle',
    connecting: 'connecting',
    'needs-auth': 'needs-auth',
    ready: 'ready',
    degraded: 'degraded',
    restarting: 'restarting',
    failed: 'failed',
  },
  why: ({ why }) => why,
  consent: {
    server: 'Server',
    native: 'this program itself',
    tool: 'Tool',
    alias: 'For the model',
    saysOfItself: 'Says of itself',
    notBelieved: (said) => `${said} (not believed)`,
    hints: {
      readOnly: 'only reads',
      destructive: 'may destroy or overwrite',
      idempotent: 'twice is the same as once',
      openWorld: 'reaches beyond its server',
      none: 'nothing',
    },
    comma: ', ',
    definition: 'Definition',
    pins: {
      new: 'NEW: it came after its server was approved, and nobody looked at it yet',
      changed: 'CHANGED since it was approved',
    },
    why: 'Asked because',
    // The longer sentence is for who was not asked.
    reason: (reason, message) => SHORT.get(reason) ?? message,
    rule: 'Rule',
    ruleText: (text) => text,
    warningText: (text) => text,
    because: 'Its reason',
    flow: 'Data could go',
    flowText: (source, sink) => `from ${source} out by ${sink}`,
    warning: 'Warning',
    args: 'Arguments',
    modelGets: 'The model would get',
    modelWrote: 'The model wrote',
    mayCall: (tool, server) =>
      server === undefined ? `Call ${tool}?` : `Call ${tool} of the server ${server}?`,
    mayRead: (server) => `Read this resource of the server ${server}?`,
    mayAskModel: (server) => `Let the server ${server} ask your model this?`,
    mayHaveAnswer: (server) => `Give this answer to the server ${server}?`,
    more: 'Show more',
    again: 'The terminal has become narrower. The question once more:',
    morePages: (page, pages) => `Page ${page} of ${pages}. A yes can be given at the end.`,
    answers: {
      deny: 'No',
      'deny-because': 'No, and say why',
      once: 'Yes, this once',
      session: 'Yes, this tool until the session ends',
      'always-these-arguments': 'Yes, always with exactly these arguments',
      always: 'Yes, always this tool',
    },
    readAnswers: {
      session: 'Yes, any resource of this server until the session ends',
      'always-these-arguments': 'Yes, always this resource',
      always: 'Yes, always any resource of this server',
    },
    askReason: 'Why not? The model is told.',
  },
  doctor: {
    steps: {
      config: 'config',
      command: 'command',
      address: 'address',
      start: 'start',
      stderr: 'stderr',
      handshake: 'handshake',
      era: 'era',
      lists: 'lists',
      ping: 'ping',
    },
    skipped: 'not tried',
    process: (pid) => `pid ${pid}`,
    nothing: 'nothing',
    off: 'switched off in the configuration',
    project: 'its file is one of the project, and nobody approved it yet',
    projectDo: 'Look at the file and approve it with: deep-pilot config approve',
    mend: 'Mend the entry where the message says.',
    missing: (command) => `there is no command "${command}"`,
    missingDo: 'Install it, or give its full path in the entry.',
    noFolder: (path) => `its working folder "${path}" does not exist`,
    noFolderDo: 'Create it, or correct "cwd" in the entry.',
    startDo: 'Run the command by hand and read what it says. It must stay and wait for input.',
    reachDo: 'Check the address, and whether the server runs there.',
    stderrLines: (count) => several(count, 'line'),
    stderrMore: (count) => `… and ${several(count, 'line')} before`,
    handshakeDo:
      'It runs but does not speak the protocol as expected: look at the wire with "deep-pilot raw ping --trace".',
    authDo: 'It wants to know who asks: put a token into "headers" of the entry.',
    era: (era, revision) => `${era}, revision ${revision}`,
    lists: (counts) =>
      counts.map(({ list: name, count }) => several(count, name.slice(0, -1))).join(', '),
    noLists: 'it declares none',
    listsDo:
      'It declares a list that it cannot give. Update the server, or report it to its author.',
    pingOdd:
      'It is there, but does not answer a ping as every server must. Report it to its author.',
    pingDo: 'It went quiet after the start. Look at its stderr.',
    doctorSays: (servers, failed, warned) =>
      failed + warned === 0
        ? `${several(servers, 'server')}, all well.`
        : `${several(servers, 'server')}: ${failed} with faults, ${warned} with warnings.`,
  },
  policy: {
    grants: grantsEn,
    verdicts: { allow: 'allow', ask: 'ask', deny: 'deny', off: 'off' },
    problems: POLICY_PROBLEM_WORDS,
    problemAt: (where, sentence) => `${where}: ${sentence}.`,
    problem: (severity, told) => `${severity === 'error' ? 'Error' : 'Warning'}: ${told}`,
    unreadable: (effect, where) =>
      `${effect} everything, as a part of the policy cannot be read${where === '' ? '' : ` (${where})`}`,
    reasons: {
      'deny-rule': 'a rule denies it',
      'broken-policy': 'a part of the policy cannot be read',
      'changed-definition': 'its definition is not the one that was approved',
      flow: 'data could leave after untrusted content was read',
      'ask-rule': 'a rule asks',
      'new-definition': 'nobody looked at it yet',
      grant: 'a person said yes before',
      'allow-rule': 'a rule allows it',
      'read-only': 'a trusted server says that it only reads',
      native: 'it is a tool of this program itself',
      otherwise: 'no rule is about it',
    },
    rule: ruleText,
    because: (text) => `because: ${text}`,
    about: (names, count) =>
      `about ${several(count, 'known tool')}: ${names.join(', ')}${count > names.length ? ', …' : ''}`,
    aboutNone: 'about none of the tools that are known so far',
    noneKnown: 'No tools are known yet; "deep-pilot pin" reads them.',
    otherwise: 'anything else',
    readOnly: 'tools of trusted servers that say they only read',
    flow: 'what could let data out after untrusted content was read',
    native: 'tools of this program itself',
    isDefault: ' (default)',
    isUnread: (where) => ` (what is written cannot be read${where === '' ? '' : `: ${where}`})`,
    calls: ({ allow, ask, deny }) =>
      `${several(allow + ask + deny, 'call')}: ${allow} allowed, ${ask} asked, ${deny} denied.`,
    noCalls: 'There are no calls of tools in this recording.',
    unknownServer: (name) =>
      `The configuration has no server "${name}", so its calls are judged as those of a stranger. Name the server with --server.`,
  },
  pins: pinEn,
  jobs: {
    none: 'No process of a server is recorded.',
    head: ['PID', 'SERVER', 'HOST', 'AGE', 'STATE', 'COMMAND'],
    running: 'running',
    orphan: 'ORPHAN',
    gone: 'ended',
    ended: (count) => `${several(count, 'orphan')} ended.`,
    orphans: (count) => `${several(count, 'orphan')}. End them with: deep-pilot ps --end`,
  },
}
