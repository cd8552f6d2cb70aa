/** English. */

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
    version: 'show the version',
  },
  commands: {
    program: 'Speak the Model Context Protocol from a shell: list and call tools, watch the wire.',
    demo: 'run a tour with real servers, every wire message shown; needs no key and no network',
    tools: 'list the tools of a server',
    call: 'call a tool of a server and print its result',
    callMore:
      "NAME=VALUE is text, turned into a number, boolean or JSON where the tool's schema wants one. " +
      'NAME:=JSON is JSON as it stands. For a list, give the name several times. ' +
      'Exit code: 0 success, 5 the tool failed or does not exist.',
    serve: 'be one of the demo servers, on standard input and output',
    captures: 'work with recorded wires',
    capturesShow: 'show a recorded wire, message by message',
    argumentTool: 'name of the tool',
    argumentPairs: 'arguments of the tool: NAME=VALUE or NAME:=JSON',
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
    offline: 'answer with a sample instead of asking a weather service',
  },
  faults: {
    unknownOption: (option, similar) => `There is no option ${option}.${maybe(similar)}`,
    serverOption: (example) =>
      ` If it belongs to the server's command, put "--" before that command: ${example}`,
    unknownCommand: (command, similar) => `There is no command "${command}".${maybe(similar)}`,
    missingArgument: (name) => `${name} is missing.`,
    missingValue: (option) => `The option ${option} needs a value.`,
    badChoice: (option, value, choices) =>
      `${option} cannot be "${value}". Use one of: ${choices.join(', ')}.`,
    excessArguments: (words) => `Too many words: ${words}. Remove what is not needed.`,
    noSeparator: (command, word) =>
      word === undefined
        ? `No server was named. Put its command after "--": ${command} -- node server.js`
        : `"${word}" was not expected here. Put the server's command after "--": ${command} -- ${word} …`,
    noServerCommand: (command) =>
      `Nothing stands after "--". Put the server's command there: ${command} -- node server.js`,
    strayServerCommand: (command) =>
      `${command} starts no server of yours. Remove "--" and what follows.`,
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
    unreadableFile: (path, reason) => `"${path}" cannot be read: ${reason}.`,
    noFileName: '--args @ needs the name of a file: --args @arguments.json',
    standardInput: 'Standard input',
    unknownTool: (name, near, all) => {
      if (all.length === 0) return `There is no tool "${name}": the server offers none.`
      return near.length > 0
        ? `There is no tool "${name}". Near to it: ${list(near)}.`
        : `There is no tool "${name}". The server offers ${all.length}, among them ${list(all.slice(0, 5))}.`
    },
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
    toolFailed: 'The tool reported an error.',
    cancelled: 'Cancelled.',
    cancelling: 'Cancelling; press Ctrl-C again to stop at once.',
    stderrTail: 'The server said on stderr:',
    bug: 'This is a fault of deep-pilot. Please report it with this text:',
    captureLost: (path, count, reason) =>
      `The recording in "${path}" is not complete: ${count} records were lost. ${reason}`.trimEnd(),
    moreDamage: (count) => `${count} more places are damaged.`,
    gap: (count, reason) => `${count} records are missing here: ${reason}`,
  },
  demo: {
    intro: 'real servers, and their whole wire. No key, no network.',
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
  families: {
    rpc: 'The server answered with an error',
    protocol: 'The server broke the protocol',
    transport: 'No connection to the server',
    timeout: 'Waited too long',
    cancelled: 'Cancelled',
    capability: 'Not possible with this server',
    schema: 'The value does not fit the schema',
    policy: 'Not allowed',
    auth: 'Not authorised',
    usage: 'Error',
    config: 'Error in the configuration',
    internal: 'Internal error',
  },
}
