/** What `deep-pilot config` says in English. */

import { PROBLEM_WORDS } from '../../config/problem-words.ts'
import type { ConfigWords } from './config-words.ts'

const list = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(', ')

export const configEn: ConfigWords = {
  commands: {
    config: 'look at the configuration of servers and change it',
    list: 'list the configured servers',
    get: 'show one server as it was understood',
    add: 'add a server to a configuration file',
    addMore:
      'The words behind -- start the server. A variable in them, as in ${TOKEN}, is written as it is and filled in at each start; put it in single quotes for the shell.',
    remove: 'remove a server from its file',
    import: 'take over servers from the file of another host',
    importMore:
      'Without a host or file it tells which files of other hosts are there. Nothing is written without --write; the file before is then kept as .bak.',
    explain: 'tell where each value of a server came from',
    doctor: 'check files, commands and addresses, without starting anything',
    approve: 'look at the servers of a project file and allow them to be started',
    approveMore:
      'An approval holds for the exact bytes of the file. Once it changes, it asks again.',
    argumentName: 'name of the server',
    argumentNames: 'names of servers (default: all of them)',
    argumentSource: 'the host, as in vscode, or the path of its file',
    argumentFiles: 'the files (default: those of this folder)',
  },
  options: {
    config: 'read this file alone (repeatable; default: your own, then those of this folder)',
    target: 'the file to change (default: your own)',
    replace: 'write over a server of the same name',
    env: 'a variable for the server; NAME alone passes ours on (repeatable)',
    cwd: 'working folder of the server',
    url: 'address of a server that runs: http(s)://, ws(s):// or unix:PATH',
    header: 'a header to send, as in "Authorization: Bearer ${TOKEN}" (repeatable)',
    transport: 'how to reach the address: http, sse or ws (default: find out)',
    write: 'write the servers into the file',
    yes: 'answer yes to every question',
    revoke: 'take approvals back',
  },
  faults: {
    unknownServer: (name, near, all) => {
      if (all.length === 0)
        return `There is no server "${name}": none is configured. Add one with: deep-pilot config add NAME -- COMMAND …`
      return near.length > 0
        ? `There is no server "${name}". Near to it: ${list(near)}.`
        : `There is no server "${name}". There are: ${list(all.slice(0, 10))}.`
    },
    noTarget: 'Say what to add: a command behind --, or an address by --url.',
    twoTargets: 'A server is either started by a command or reached by --url. Give one of them.',
    unfitOption: (option, other) => `${option} is for servers given by ${other}.`,
    badHeader: 'A header is written "Name: value".',
    badTransport: (value) => `--transport cannot be "${value}". Use http, sse or ws.`,
    unknownHost: (value, hosts) =>
      `"${value}" is no host and no file. Hosts are: ${hosts.join(', ')}.`,
    nothingHere: 'There is no project file in this folder. Name one.',
    needsYes: (what) => `Nobody can be asked here. Look at ${what}, then repeat with --yes.`,
    notApproved: 'Not approved, so nothing of it will be started.',
  },
  notes: {
    noServers: 'No servers are configured. Add one with: deep-pilot config add NAME -- COMMAND …',
    added: (name, file) => `Added "${name}" to ${file}.`,
    removed: (name, file) => `Removed "${name}" from ${file}.`,
    literalSecret: (name) =>
      `"${name}" holds what looks like a secret, which now stands in the file. Better write a variable: \${NAME}.`,
    problem: (severity, where, server, sentence) =>
      `${severity === 'error' ? 'Error' : 'Warning'}: ${where}: ${server === undefined ? '' : `server "${server}": `}${sentence}`,
    found: (title, path, count) =>
      `${title}: ${count} ${count === 1 ? 'server' : 'servers'} in ${path}`,
    noFiles: 'No file of another host was found.',
    importHint: 'Take servers over with: deep-pilot config import HOST --write',
    imported: (count, file) => `${count} ${count === 1 ? 'server' : 'servers'} written to ${file}.`,
    skipped: (name, file) => `"${name}" is in ${file} already; --replace writes over it.`,
    wouldImport: (count, file) =>
      `${count} ${count === 1 ? 'server' : 'servers'} for ${file}. Nothing was written; add --write.`,
    backup: (path) => `The file before is kept as ${path}.`,
    askImport: (count, file) =>
      `Write ${count === 1 ? 'this server' : `these ${count} servers`} to ${file}? They will then be started without asking.`,
    disabled: 'switched off',
    unapproved: 'not approved',
    ready: 'configured',
  },
  checks: {
    where: 'stands at',
    facts: {
      command: 'command',
      env: 'env',
      cwd: 'cwd',
      url: 'url',
      header: 'header',
      start: 'start',
      file: 'file',
    },
    fact: (name, text) => `${name}: ${text}`,
    timer: (name) => `${name} timeout`,
    scopes: { user: 'your own', project: 'of the project', given: 'given' },
    origins: (sources) => `(${sources.join('; ')})`,
    at: (where, sentence) => `${where}: ${sentence}`,
    from: {
      literal: 'written out',
      variable: (name) => `variable ${name}`,
      default: (name) => `default, as ${name} is not set`,
      input: (id) => `input ${id}`,
      folder: (name) => `folder ${name}`,
      file: (path) => `file ${path}`,
    },
    builtIn: 'default',
    ok: 'ok',
    warning: 'look',
    error: 'bad',
    filesRead: (count) => `${count} ${count === 1 ? 'file' : 'files'} read`,
    commandFound: (command, path) => `command ${command} is ${path}`,
    commandMissing: (command) =>
      `there is no command "${command}". Install it, or give its full path`,
    commandUnapproved: 'its file is not approved: deep-pilot config approve',
    folderMissing: (path) => `its working folder "${path}" does not exist`,
    address: (url) => `address ${url}`,
    plainHttp:
      'headers with secrets go over plain http to another machine, readable by everyone on the way',
    off: 'switched off',
    fine: 'Nothing is wrong.',
    faults: (errors, warnings) =>
      `${errors} ${errors === 1 ? 'error' : 'errors'}, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}.`,
  },
  approve: {
    nothing: 'There is nothing to approve.',
    file: (path, sha256) => `${path}\n  SHA-256 ${sha256}`,
    already: (path) => `${path} is approved.`,
    warning:
      'This file came with a project. Once approved, these commands run on this machine with your rights, and these addresses get the headers shown:',
    server: (name) => `Server "${name}"`,
    expanded: 'filled in',
    unreadable: 'cannot be used as it stands; written is',
    changed: 'changed since the last approval',
    fresh: 'new since the last approval',
    unchanged: 'as approved before',
    question: (path) => `Approve ${path}?`,
    yes: 'Yes, allow these servers',
    no: 'No',
    approved: (path) => `Approved: ${path}`,
    refused: (path) => `Not approved: ${path}`,
    revoked: (path, count) =>
      `${count} ${count === 1 ? 'approval' : 'approvals'} taken back: ${path}`,
  },
  problems: PROBLEM_WORDS,
}
