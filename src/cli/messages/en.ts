/** English. */

import { describeError } from '../../base/errors.ts'
import { tellEn } from './failure-en.ts'
import type { Messages } from './messages.ts'

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')
const maybe = (similar: string | undefined): string =>
  similar === undefined ? '' : ` Did you mean ${similar}?`

export const en: Messages = {
  language: 'en',
  help: {
    usage: 'Usage:',
    arguments: 'Arguments:',
    options: 'Options:',
    commonOptions: 'Options of every command:',
    commands: 'Commands:',
    examples: 'Examples:',
    help: 'show this help',
    helpCommand: 'show the help of a command',
    helpArgument: 'the command (default: all of them)',
    version: 'show the version',
  },
  commands: {
    program:
      'Speak the Model Context Protocol from a shell: tools, resources, prompts, and the whole wire.',
    demo: 'run a tour with real servers, every wire message shown; needs no key and no network',
    tools: 'list the tools of a server, or of all that are configured',
    call: 'call a tool of a server and print its result',
    callMore:
      "NAME=VALUE is text, turned into a number, boolean or JSON where the tool's schema wants one. " +
      'NAME:=JSON is JSON as it stands. For a list, give the name several times. ' +
      'Exit code: 0 success, 5 the tool failed or does not exist.',
    resources: 'list the resources of a server',
    read: 'read a resource of a server',
    readMore:
      'Text is printed as it is. Binary content goes into a file (--output) or a pipe, never to a terminal.',
    prompts: 'list the prompts of a server',
    promptsMore: 'Shown as they are asked for: NAME= must be given, [NAME=] may be.',
    prompt: 'get a prompt of a server and print its messages',
    complete: 'ask a server for suggestions for an argument',
    discover: 'show what a server says of itself',
    ping: 'ask a server for a sign of life and print how long it took',
    pingMore:
      'Sends ping after a handshake, and server/discover in the era without one, which has no ping.',
    listen: 'print changes on a server until Ctrl-C',
    listenMore:
      'Without any of these options: every list of which the server says that it tells changes.',
    raw: 'send any request and print its result as JSON',
    rawMore:
      'The method must exist in the revision that is spoken; its params are sent as they are. Pick the revision with --revision.',
    serve: 'be one of the demo servers, on standard input and output or over HTTP',
    serveMore:
      'Over HTTP it serves clients of all revisions until Ctrl-C. Anything but this machine needs --allow-host and --token-env.',
    captures: 'work with recorded wires',
    capturesShow: 'show a recorded wire, message by message',
    argumentTool: 'name of the tool',
    argumentPairs: 'arguments of the tool: NAME=VALUE or NAME:=JSON',
    argumentUri: 'URI of the resource',
    argumentPrompt: 'name of the prompt',
    argumentTexts: 'arguments of the prompt, all of them text',
    argumentCompleted: 'name of the argument or variable to complete',
    argumentBeginning: 'what is written already (default: nothing)',
    argumentMethod: 'method of the request, as in tools/list',
    argumentParams: 'its params as a JSON object: the text, @FILE, or - for standard input',
    argumentServer: 'which server to be',
    argumentFile: 'the capture file',
  },
  options: {
    lang: 'language of messages: en or zh (default: from LC_ALL, LC_MESSAGES, LANG)',
    logLevel:
      'debug, info, warn, error or silent, also for one module: warn,client=debug (default: warn, or DEEP_PILOT_LOG_LEVEL)',
    logJson: 'write log lines as JSON',
    json: 'print the result as JSON, and an error as one JSON line on stderr',
    args: 'all arguments as one JSON object: the text, @FILE, or - for standard input',
    check: "do not check arguments against the tool's schema",
    trace: 'show every wire message on stderr',
    capture: 'record the whole wire in FILE, secrets taken out',
    existing: 'when the file of --capture is there already (default: refuse)',
    era: 'how to speak: with a handshake (legacy), without (modern), or find out (auto)',
    revision: 'speak this protocol revision or fail',
    timeout: 'longest wait without a sign of life, in milliseconds (default: 60000)',
    totalTimeout: 'longest wait for an answer in all, in milliseconds (default: 600000)',
    startTimeout:
      'longest wait for the server to start, in milliseconds (default: 30000; 120000 for npx and the like)',
    env: 'set a variable for the server; NAME alone passes ours on (repeatable)',
    cwd: 'working folder of the server',
    url: 'address of a server that runs: http(s)://, ws(s):// or unix:PATH',
    header:
      'send a header; ${NAME} in its value is the variable NAME, so that no token stands on the command line (repeatable)',
    transport:
      'how to reach the server (default: auto, which tries Streamable HTTP, then HTTP+SSE)',
    templates: 'list the templates by which further resources are named',
    output: 'write the content into a new FILE',
    completePrompt: 'the argument is one of this prompt',
    completeResource: 'the argument is a variable of this resource template',
    context: 'value of another argument that is decided already (repeatable)',
    listenTools: 'tell when the list of tools changes',
    listenPrompts: 'tell when the list of prompts changes',
    listenResources: 'tell when the list of resources changes',
    listenUri: 'tell when this resource changes (repeatable)',
    offline: 'answer with a sample instead of asking a weather service',
    http: 'serve over HTTP; the address is told on stderr',
    port: 'port to listen on (default: any that is free)',
    host: 'address to listen on (default: 127.0.0.1, this machine alone)',
    path: 'path of the endpoint (default: /mcp)',
    allowHost: 'name under which clients may call, as in mcp.example.com (repeatable)',
    tokenEnv: 'let in only who sends the token that the variable NAME holds',
  },
  faults: {
    unknownOption: (option, similar) => `There is no option ${option}.${maybe(similar)}`,
    serverOption: (example) =>
      ` If it belongs to the server's command, put "--" before that command: ${example}`,
    unknownCommand: (command, similar) =>
      `There is no command "${command}".${maybe(similar) || ' All are told by: deep-pilot help'}`,
    missingArgument: (name) => `${name} is missing.`,
    missingValue: (option) => `The option ${option} needs a value.`,
    badChoice: (option, value, choices) =>
      `${option} cannot be "${value}". Use one of: ${choices.join(', ')}.`,
    excessArguments: (words) => `Too many words: ${words}. Remove what is not needed.`,
    tooManyArguments: (command) =>
      `"${command}" has more words than it takes. Leave some out; --help shows its usage.`,
    noSeparator: (command, word) =>
      word === undefined
        ? `No server was named. Put its command after "--": ${command} -- node server.js. Or give its address: ${command} --url https://example.com/mcp`
        : `"${word}" was not expected here. Put the server's command after "--": ${command} -- ${word} …`,
    noServerCommand: (command) =>
      `Nothing stands after "--". Put the server's command there: ${command} -- node server.js`,
    strayServerCommand: (command) =>
      `${command} starts no server of yours. Remove "--" and what follows.`,
    twoServers:
      'Two servers were named: one by --url, one by the command after "--". Remove one of them.',
    badUrl:
      '--url must begin with http://, https://, ws://, wss:// or unix:, as in https://example.com/mcp.',
    brokenUrl:
      '--url is no address that can be reached. Write it whole, as in https://example.com/mcp.',
    unfitTransport: (transport, choices) =>
      `--transport ${transport} does not go with this server. Use one of: ${choices.join(', ')}.`,
    unfitOption: (option) =>
      option === '-H'
        ? 'Headers (-H) are for addresses that begin with http, https, ws or wss. Remove them.'
        : `${option} is for servers that are started, and --url starts none. Remove it.`,
    badHeader: 'A header (-H) must be written as "Name: value".',
    unsetHeaderVariable: (header, variable) =>
      `The header ${header} needs the variable ${variable}, which is not set here. Set it first.`,
    badMilliseconds: (option, value) =>
      `${option} cannot be "${value}". Give whole milliseconds from 1 to 2147483647.`,
    badVariable: (value) =>
      `--env cannot be "${value}". Write NAME=VALUE, or NAME to pass ours on.`,
    unsetVariable: (name) =>
      `--env ${name} cannot be passed on: the variable is not set here. Set it, or write ${name}=VALUE.`,
    badLogLevel: (value, place) =>
      `${place} cannot be "${value}". Write LEVEL or LEVEL,MODULE=LEVEL with debug, info, warn, error or silent.`,
    badLanguage: (value) => `--lang cannot be "${value}". Use en or zh.`,
    badPair: (word) => `"${word}" is no argument of a tool. Write NAME=VALUE or NAME:=JSON.`,
    emptyName: (word) => `"${word}" has no name before its "=". Write NAME=VALUE or NAME:=JSON.`,
    givenTwice: (name) => `"${name}" is given twice, and it is no list. Give it once.`,
    wrongType: (name, value, types) =>
      `"${name}" cannot be "${value}": the tool wants ${types}. Correct it, or write ${name}:=JSON.`,
    or: ' or ',
    badJson: (place, problem) => `${place} is no valid JSON: ${problem}`,
    notObject: (place, kind) =>
      `${place} must be a JSON object such as {"name": "value"}, and is ${kind}.`,
    tooLarge: (place, megabytes) => `${place} is larger than ${megabytes} MiB. Make it smaller.`,
    tooDeep: (place, depth) => `${place} nests deeper than ${depth} levels. Make it flatter.`,
    notUtf8: (place) => `${place} is not UTF-8 text. Save it as UTF-8.`,
    noFile: (path) => `There is no file "${path}". Correct the path, or create the file.`,
    unreadableFile: (path, error) => `"${path}" cannot be read: ${describeError(error)}.`,
    noFileName: (place) => `${place} @ needs the name of a file, as in @arguments.json.`,
    standardInput: 'Standard input',
    unknownTool: (name, near, all) => {
      if (all.length === 0) return `There is no tool "${name}": the server offers none.`
      return near.length > 0
        ? `There is no tool "${name}". Near to it: ${list(near)}.`
        : `There is no tool "${name}". The server offers ${all.length}, among them ${list(all.slice(0, 5))}.`
    },
    unknownPrompt: (name, near, all) => {
      if (all.length === 0) return `There is no prompt "${name}": the server offers none.`
      return near.length > 0
        ? `There is no prompt "${name}". Near to it: ${list(near)}.`
        : `There is no prompt "${name}". The server offers ${all.length}, among them ${list(all.slice(0, 5))}.`
    },
    badTextPair: (word) => `"${word}" is no named text. Write NAME=VALUE.`,
    namedTwice: (name) => `"${name}" is given twice. Give it once.`,
    onePromptOrResource:
      'Say whose argument it is, by one of these: --prompt NAME or --resource TEMPLATE.',
    tellsNoChanges: 'This server says of no list that it tells changes. Name resources by --uri.',
    notBase64: 'The content of the resource is no Base64. Report it to the author of the server.',
    binaryToTerminal: (what) =>
      `The content is binary (${what}), which is not for a terminal. Write it into a file with --output FILE, or into a pipe.`,
    mixedContents: (count) =>
      `The resource has ${count} contents, and not all of them are text. Use --json to get them all.`,
    severalContents: (count) =>
      `The resource has ${count} contents, and --output takes one. Use --json to get them all.`,
    fileExists: (path) => `"${path}" is there already. Choose another name, or remove it first.`,
    unwritableFile: (path, error) => `"${path}" cannot be written: ${describeError(error)}.`,
    badPort: (value) => `--port cannot be "${value}". Give a number from 0 to 65535.`,
    onlyOverHttp: (option) => `${option} is for serving over HTTP. Add --http.`,
    onlyWithCapture: (option) =>
      `${option} is of use with --capture alone. Add it, or leave ${option} out.`,
    captureThere: (path) =>
      `Cannot record to "${path}": it is there already. Name another file, or add --existing replace or --existing append.`,
    openToOthers: (host, missing) =>
      `Listening on ${host} opens this server to other machines, and ${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not given. Add what is missing, or leave --host out.`,
    unsetToken: (name) =>
      `--token-env ${name} names a variable that is not set here. Set it to a token first.`,
    json: {
      at: (line, column) => `line ${line}, column ${column}: `,
      empty: 'it is empty',
      end: 'it ends too early; something is not closed',
      unexpected: (found, expected) => `${found} stands where ${expected} should be`,
      value: 'a value',
      name: 'a name in double quotes',
      colon: 'a ":"',
      commaOrBrace: '"," or "}"',
      commaOrBracket: '"," or "]"',
      nothingMore: 'the end',
      control:
        'a line end or another control character stands inside a string; write \\n for a line end',
      escape: 'a backslash in a string starts no escape; write \\\\ for a backslash',
    },
  },
  notes: {
    noTools: 'The server offers no tools.',
    noResources: 'The server lists no resources.',
    noTemplates: 'The server offers no resource templates.',
    noPrompts: 'The server offers no prompts.',
    noContents: 'The resource is empty.',
    content: (at, count, uri) => `Content ${at} of ${count}: ${uri}`,
    cut: (shown, all) =>
      `${shown} of ${all} characters are shown. Write the result into a file or a pipe to get all of it.`,
    saved: (path, what) => `Saved as ${path} (${what}).`,
    noSuggestions: 'The server has no suggestions.',
    moreSuggestions: (shown, total) =>
      total === undefined
        ? `${shown} are shown, and there are more.`
        : `${shown} of ${total} are shown.`,
    pong: (name, ms, method) => `${name} answered in ${ms} ms (${method})`,
    listening: (what) => `Listening for changes: ${what}. Ctrl-C ends it.`,
    listenedToEnd: 'The server has ended the stream of changes.',
    serving: (name, url) => `${name} is served at ${url} (Ctrl-C ends it)`,
    waiting: (name) =>
      `${name} waits here for a client that writes to its input (Ctrl-C ends it). A client starts it by itself: deep-pilot tools -- deep-pilot serve ${name}`,
    toolFailed: 'The tool reported an error.',
    cancelled: 'Cancelled.',
    cancelling: 'Cancelling; press Ctrl-C again to stop at once.',
    stderrTail: 'The server said on stderr:',
    bug: 'This is a fault of deep-pilot. Please report it with this text:',
    captureLost: (path, count, reason) =>
      `The recording in "${path}" is not complete: ${count} records were lost. ${reason}`.trimEnd(),
    damage: ({ message }) => message,
    moreDamage: (count) => `${count} more places are damaged.`,
    gap: (count, reason) => `${count} records are missing here: ${reason}`,
  },
  discover: {
    server: 'Server',
    website: 'Website',
    about: 'About',
    revision: 'Revision',
    revisions: 'Speaks',
    capabilities: 'Offers',
    extensions: 'Extensions',
    instructions: 'Instructions',
    none: 'nothing',
    more: (characters) => `… and ${characters} more characters; --json has all of it`,
  },
  changes: {
    tools: 'tools',
    prompts: 'prompts',
    resources: 'resources',
    comma: ', ',
    listChanged: (list) => `the list of ${list} has changed`,
    oneChanged: (uri) => `changed: ${uri}`,
  },
  demo: {
    intro: (program) => `${program}: real servers, and their whole wire. No key, no network.`,
    rootFolder: (path) => `Folder: ${path}`,
    absent:
      'The official filesystem server is not installed here (npm install @modelcontextprotocol/server-filesystem); going on without it.',
    filesystem: 'filesystem: a server from elsewhere',
    calculator: 'calculator: our own server, with a handshake',
    weather: 'weather: our own server, offline',
    calculatorModern: 'calculator again, in the era without a handshake',
    handshake: (server) => `Handshake done, Server: ${server}`,
    discovered: (server) => `No handshake needed, Server: ${server}`,
    unnamed: '(no name)',
    revision: (revision, era) => `Revision: ${revision} (${era})`,
    tools: (count) => `${count} ${count === 1 ? 'tool' : 'tools'}:`,
    toolNames: (names) => `Tools: [${names.map((name) => `'${name}'`).join(', ')}]`,
    noFileHere: 'There is no file in this folder to read.',
    reading: (name) => `Reading ${name}`,
    first100: (text) => `First 100 characters: ${text}`,
    outside: (path) => `Reading outside of the folder: ${path}`,
    toolError: (text) => `Refused by the tool: ${text}`,
    noOutside: 'Nothing lies outside of this folder, so there is nothing to refuse.',
    result: (call, text) => `${call} = ${text}`,
    failed: (part) => `${part} failed:`,
    outro: (parts, messages) => `Done: ${parts} connections, ${messages} messages.`,
  },
  config: async () => (await import('./config-en.ts')).configEn,
  host: async () => (await import('./host-en.ts')).hostEn,
  agent: async () => (await import('./agent-en.ts')).agentEn,
  questions: async () => (await import('./question-en.ts')).questionEn,
  colon: ': ',
  families: {
    rpc: 'The server answered with an error',
    protocol: 'The server broke the protocol',
    transport: 'No connection to the server',
    timeout: 'Waited too long',
    cancelled: 'Cancelled',
    model: 'No reply from the model',
    capability: 'Not possible with this server',
    schema: 'The value does not fit the schema',
    policy: 'Not allowed',
    auth: 'Not authorised',
    usage: 'Error',
    config: 'Error in the configuration',
    internal: 'Internal error',
  },
  numbered: (code) => ` (${code})`,
  told: tellEn,
  toldAgain: ({ message }) => message,
}
