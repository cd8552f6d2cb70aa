/** What `chat` and `run` say in English. */

import { describeError } from '../../base/errors.ts'
import type { AgentWords, OfferedCount, SpentFacts } from './agent-words.ts'
import { OUTCOMES_EN } from './outcome-words.ts'

const number = (value: number): string => value.toLocaleString('en-US')
const several = (count: number, one: string): string =>
  `${number(count)} ${one}${count === 1 ? '' : 's'}`

const behind = (how: string | undefined): string => (how === undefined ? '' : ` (${how})`)

const priceEntry = (provider: string, model: string): string =>
  JSON.stringify({ models: [{ provider, model, input: 0, output: 0 }] })

const typed = (option: string, value: string | undefined): string =>
  value === undefined ? `${option} not given` : `${option} ${value}`.trim()

const before = (was: string | undefined): string =>
  was === undefined ? 'not given' : was === '' ? 'given' : was

const offered = ({ all, builtIn }: OfferedCount): string =>
  `${several(all, 'tool')}${builtIn === 0 ? '' : ` (${number(builtIn)} built in)`}`

const spent = (facts: SpentFacts): string => {
  const { turns, usd, seconds, estimated, uncounted } = facts
  const isOpen = uncounted > 0
  const about = estimated ? 'about ' : ''
  const tokens = tokensText(facts, about)
  return [
    several(turns, 'request'),
    tokens ?? 'tokens unknown',
    ...(isOpen && tokens !== undefined
      ? [`${several(uncounted, 'request')} broken off, tokens unknown`]
      : []),
    usd === undefined || tokens === undefined
      ? 'cost unknown'
      : `${isOpen ? 'at least ' : ''}${about}$${usd}`,
    ...(seconds === undefined ? [] : [`${seconds} s`]),
  ].join(' · ')
}

/** Undefined where there are none but those that nobody counted. */
function tokensText(
  { input, cached, output, uncounted }: SpentFacts,
  about: string,
): string | undefined {
  if (input + output === 0 && uncounted > 0) return undefined
  const part = cached === undefined || cached === 0 ? '' : ` (${number(cached)} cached)`
  return `${about}${number(input)} tokens in${part}, ${number(output)} out`
}

export const agentEn: AgentWords = {
  commands: {
    chat: 'talk to a model that calls the tools of your servers, with every call under your eyes',
    chatMore:
      'The model sees the tools of all servers of the configuration. Each call goes by the policy, which may ask you first. ' +
      'Keys: DEEPSEEK_API_KEY, OPENAI_API_KEY, ANTHROPIC_API_KEY, OPENROUTER_API_KEY; a model on this machine needs none. ' +
      'Without a terminal each line of standard input is one message; with --json what happens is told as by run. Sessions are kept in $DEEP_PILOT_HOME/sessions: the last 50 chats, and apart from them the last 50 runs.',
    run: 'give a model one task to do with the tools of your servers, and print its answer',
    runMore:
      'Where nobody can be asked, what the policy would ask is refused. ' +
      'Exit code: 0 done, 1 wrong use, 3 no key or a refused one, 4 the model cannot be reached, 6 a refused call was the last word, 7 the model did not answer in time, 8 the model failed or said nothing, 9 a limit was reached, 130 Ctrl-C.',
    argumentTask: 'what is to be done, or - for standard input',
  },
  options: {
    model: (providers) =>
      `the model: deepseek, or PROVIDER:NAME with one of the providers ${providers.join(', ')}; with --base-url also just NAME (default: DEEP_PILOT_MODEL, else deepseek)`,
    baseUrl:
      'address of a server of your own, as in http://127.0.0.1:8080/v1; its key, if it wants one, is DEEP_PILOT_API_KEY (default: DEEP_PILOT_BASE_URL)',
    insecureHttp:
      'allow a plain http:// address beyond this machine, where anybody on the way reads all that is said',
    context:
      'the window of the model in tokens, if it is not known or another is wanted; Ollama is asked for one of this size (default: DEEP_PILOT_CONTEXT, else what is known)',
    system: 'add the text of FILE to what the model is told first',
    effort: 'how much it thinks before it answers',
    maxOutput: 'most tokens of one reply',
    noStream: 'wait for whole replies instead of reading them as they come',
    budgetTurns: 'most requests to the model for one message (default: 50)',
    budgetCalls: 'most calls of tools for one message',
    budgetTokens: 'most tokens in all, read and written together',
    budgetUsd: 'most US dollars in all; a model whose price is unknown is not asked then',
    budgetTime: 'most seconds for one message',
    discovery:
      'whether the model looks tools up instead of being given all of them: on, off or auto (default: auto, beyond 40 tools of servers or a tenth of the window)',
    strict:
      'have the provider hold the model to the schemas of the tools, where all of them allow it; "tools --for PROVIDER --strict" says which do not',
    markResults:
      'show the model where each result of a tool begins and ends, and whose it is, so that text in it is harder to take for an instruction',
    noSave: 'keep no session: no conversation, no recording, nothing on the disk',
    yes: 'answer every question with yes, without asking: for scripts',
    resume:
      'go on with the session of this id, or with the last chat, and with its model: --model, --base-url and what belongs to them need not be given again',
    list: 'list the sessions that are kept',
    reasoning: 'show on stderr what the model thinks',
    json: 'print every event as a line of JSON, and an error as one JSON line on stderr',
    deltas: 'with --json: also the pieces of a reply as they come',
  },
  faults: {
    noKey: (provider, variables) =>
      `There is no key for ${provider}. Set ${variables.join(' or ')}, or name another model with --model. One on this machine needs none: --model ollama:NAME, or --base-url http://127.0.0.1:8080/v1 --model NAME. ` +
      'To see the protocol without any model: deep-pilot demo',
    shortKey: (variable) =>
      `The key in ${variable} is shorter than 4 characters: it is sent, but cannot be masked in what is shown and recorded.`,
    price: (file, _fault, problem) => `${file}: ${problem}`,
    modelFact: (file, _fault, problem) => `${file}: ${problem}`,
    modelAwayTitle: 'No connection to the model',
    modelAway: (why) =>
      `The model at ${why}. Is it running? Start it, or give its address with --base-url.`,
    badNumber: (option, value) =>
      `${option} cannot be "${value}". Give a number above 0 in digits, such as 0.05 (up to 999999999, and 6 places).`,
    badWhole: (option, value) =>
      `${option} cannot be "${value}". Give a whole number from 1 to 999999999999.`,
    noPrice: ({ provider, name }, file) =>
      `The price of "${name}" from ${provider} is not known, so --budget-usd cannot be kept. Write what you pay for a million tokens into "${file}", 0 for a model of your own: ` +
      `${priceEntry(provider, name)}. Or limit tokens instead: --budget-tokens.`,
    noTask: 'There is no task. Write it behind "run" in quotes, or use - and standard input.',
    jsonAtTerminal:
      'chat --json takes its messages from a pipe or a file, a line each. At a terminal leave --json out, or give one task to: deep-pilot run --json',
    onlyJson: (option) => `${option} is of use with --json alone. Add it.`,
    deniedAtEnd: (tool) => `The call of ${tool} was refused, and nothing was done after it.`,
    noSession: (wish, newest) =>
      `There is no session "${wish}". The newest: ${newest.join(', ')}. "deep-pilot chat --list" shows all.`,
    noSessionYet: (folder) =>
      `There is no session in "${folder}" yet. Begin one with: deep-pilot chat`,
    noChatYet: (runs) =>
      `There is no chat yet to go on with. A session of "run" can be gone on with by its id, as in: deep-pilot chat --resume ${runs[0]}`,
    severalSessions: (wish, ids) =>
      `"${wish}" could be ${ids.length} sessions: ${ids.slice(0, 5).join(', ')}. Give more of the id.`,
    sessionOpen: (id, pid) =>
      `The session ${id} is open in another process (pid ${pid}). End that one first, or begin a new session.`,
    sessionsUnreadable: (folder, error) =>
      `The sessions in "${folder}" cannot be read: ${describeError(error)}. Check the permissions.`,
    sessionsUnwritable: (folder, error) =>
      `No session can be kept in "${folder}": ${describeError(error)}. Check the permissions, or use --no-save.`,
  },
  view: {
    waiting: 'waiting for the model …',
    queued: 'the model is busy; waiting in its queue …',
    thinking: (characters) => `thinking … ${number(characters)} characters`,
    thought: (characters, seconds, how) =>
      `thought for ${seconds} s, ${several(characters, 'character')} (${how} shows it)`,
    writingCall: (name, characters) =>
      `writing a call of ${name} … ${number(characters)} characters`,
    again: 'what came so far is void; the reply begins again',
    retry: (seconds, { why }) => `trying again in ${seconds} s: ${why}`,
    compacted: (messages) =>
      `${several(messages, 'message')} of the beginning left out, to make room`,
    toolsAdded: (names) => `new tools: ${names.join(', ')}`,
    toolsRemoved: (names) => `tools that are gone: ${names.join(', ')}`,
    toolsChanged: (names) => `tools that changed: ${names.join(', ')}`,
    outcomes: OUTCOMES_EN,
    badArguments: '(arguments that cannot be read)',
    moreCharacters: (count, how) => `… ${several(count, 'more character')}${behind(how)}`,
    moreLines: (count, how) => `… ${several(count, 'more line')}${behind(how)}`,
    shownPart: (shown, all) => `the model got ${shown} of ${all}`,
    wholeAt: (path) => `all of it: ${path}`,
    forYou: 'For you alone, not for the model:',
    warning: ({ message }) => `warning: ${message}`,
    empty: 'The model said nothing.',
    unfinished: 'The answer is not whole: it was interrupted.',
    ends: {
      length: 'The answer was cut: it reached the limit of its length.',
      filtered: 'The provider kept the answer back.',
      loop: 'Ended: the model made the same call over and over.',
      cancelled: 'Interrupted.',
    },
    budgets: {
      turns: 'Ended: the limit of requests is reached (--budget-turns).',
      tokens: 'Ended: the limit of tokens is reached (--budget-tokens).',
      usd: 'Ended: the limit of cost is reached, or the cost is not known (--budget-usd).',
      ms: 'Ended: the limit of time is reached (--budget-time).',
      calls: 'Ended: the limit of calls is reached (--budget-calls).',
    },
    spent,
  },
  chat: {
    greeting: (model, tools) => `${model}, with ${offered(tools)}.`,
    hint: 'Enter sends, Ctrl-J begins a new line, /help shows what else there is.',
    noServers:
      'No server is configured, so the model has no tools but what is built in. Add one with: deep-pilot config add',
    unsaid: 'What follows on standard input was not said: the chat ended with this message.',
    restartWhich: (word, servers) => {
      if (servers.length === 0) return 'There is no server that could be restarted.'
      const which = `There are: ${servers.join(', ')}.`
      return word === '' ? `Which server? ${which}` : `There is no server "${word}". ${which}`
    },
    restarting: (server) => `${server} is started anew …`,
    session: (id) => `Session ${id}`,
    notSaved: 'This session is not kept.',
    resumed: (id, messages) =>
      `Going on with session ${id}, ${several(messages, 'message')} so far.`,
    asBefore: (options) => `As before: ${options.join(' ')}`,
    notAsBefore: (changes) =>
      `Not as before: ${changes
        .map(({ option, was, now }) => `${typed(option, now)} (before: ${before(was)})`)
        .join(', ')}`,
    leftOutLines: (count) => `${several(count, 'line')} of it cannot be read and are left out.`,
    earlier: 'Last said:',
    earlierMore: (messages) => `… ${several(messages, 'message')} before`,
    you: 'you',
    againToEnd: 'Ctrl-C again ends the chat, and so does Ctrl-D.',
    tooLong: 'That is too long for a message.',
    interrupting: 'interrupting …',
    interrupted: 'Interrupted. The conversation goes on with what you write next.',
    bye: (id) =>
      id === undefined ? 'Ended.' : `Ended. Go on with: deep-pilot chat --resume ${id}`,
    unknownCommand: (word, near) =>
      near.length > 0
        ? `There is no /${word}. Near to it: ${near.map((name) => `/${name}`).join(', ')}.`
        : `There is no /${word}. /help shows all; to say it to the model, begin with //.`,
    helpKeys:
      'Keys: Enter sends. Ctrl-J, Alt-Enter or a \\ at the end begins a new line. Up and down go through what you wrote before. ' +
      'Ctrl-C interrupts the model; twice at the prompt it ends the chat. What begins with // is said with one /.',
    noTools: 'There are no tools.',
    noMatch: (filter) => `No tool has "${filter}" in its name.`,
    toolTokens: (tools, leftOut, tokens) =>
      `${offered(tools)}${leftOut === 0 ? '' : `, ${number(leftOut)} left out`}; about ${number(tokens)} tokens in each request.`,
    deferred: 'They are many: the model looks them up with search_tools.',
    cost: (facts) => `In all: ${spent(facts)}`,
    window: (tokens, window) =>
      `What was said fills about ${number(tokens)} of ${number(window)} tokens; tools and instructions come on top.`,
    captureAt: (path, word) =>
      `The whole wire is recorded in ${path}. Look at it with: deep-pilot captures show ${word}`,
    noCapture: 'Nothing is recorded: this session is not kept.',
    model: (model) => `The model is ${model}. Another one: /model PROVIDER:NAME`,
    noModelList: 'Its server gives no list of models.',
    modelNow: (model) => `From now on the model is ${model}.`,
    reasoningOn: 'What the model thinks is shown from now on.',
    reasoningOff: 'What the model thinks is folded from now on.',
    badReasoning: (word) =>
      `/reasoning shows what the model thought last, and takes on or off, not "${word}".`,
    noReasoning: 'The model has told nothing of its thinking yet.',
    compacted: (messages) =>
      `${several(messages, 'message')} left out; the model is not sent them any more.`,
    nothingToCompact: 'There is nothing that could be left out.',
    cleared: 'A new conversation begins. What was allowed for the session is asked again.',
    noCalls: 'No tool was called yet.',
    noSuchCall: (call, calls) =>
      `There is no call "${call}" in this session. There are: ${calls.join(', ')}.`,
    spentAll: (option) =>
      `Nothing is left of ${option}. End this chat, and go on with a larger limit and --resume.`,
    noSessions: 'No session is kept.',
    head: ['SESSION', 'LAST USED', 'MODEL', 'SAID', 'BEGINNING'],
  },
  slash: {
    help: 'this list',
    tools: 'the tools, or those with a word in their names: /tools file',
    servers: 'how each server is',
    restart: 'start a server anew, also one that was given up: /restart SERVER',
    why: 'what led to a call and what came of it, byte for byte: /why t1c1',
    cost: 'tokens and cost so far',
    capture: 'where the wire is recorded',
    model: 'the model, or another one: /model deepseek:NAME',
    reasoning: 'what the model thought last; on and off show or fold it',
    compact: 'leave out the beginning of the conversation',
    clear: 'begin a new conversation',
    exit: 'end the chat',
  },
}
