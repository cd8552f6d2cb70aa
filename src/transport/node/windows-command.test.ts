import { describe, expect, it } from 'vitest'
import { resolveWindowsCommand, type Program } from './windows-command.ts'

const NODE = 'D:\\node\\node.exe'

/** What a package manager writes for a script, since 2020. */
const SHIM = `@ECHO off
GOTO start
:find_dp0
SET dp0=%~dp0
EXIT /b
:start
SETLOCAL
CALL :find_dp0

IF EXIST "%dp0%\\node.exe" (
  SET "_prog=%dp0%\\node.exe"
) ELSE (
  SET "_prog=node"
  SET PATHEXT=%PATHEXT:;.JS;=;%
)

endLocal & goto #_undefined_# 2>NUL || title %COMSPEC% & "%_prog%"  "%dp0%\\node_modules\\@scope\\server (x)\\bin.js" %*
`
const OLD_SHIM = `@IF EXIST "%~dp0\\node.exe" (
  "%~dp0\\node.exe"  "%~dp0\\node_modules\\tool\\cli.js" %*
) ELSE (
  @SETLOCAL
  @SET PATHEXT=%PATHEXT:;.JS;=;%
  node  "%~dp0\\node_modules\\tool\\cli.js" %*
)`
const NPX = `:: Created by npm, please don't edit manually.
@ECHO OFF
SETLOCAL
SET "NODE_EXE=%~dp0\\node.exe"
IF NOT EXIST "%NODE_EXE%" (
  SET "NODE_EXE=node"
)
SET "NPM_PREFIX_JS=%~dp0\\node_modules\\npm\\bin\\npm-prefix.js"
SET "NPX_CLI_JS=%~dp0\\node_modules\\npm\\bin\\npx-cli.js"
FOR /F "delims=" %%F IN ('CALL "%NODE_EXE%" "%NPM_PREFIX_JS%"') DO (
  SET "NPM_PREFIX_NPX_CLI_JS=%%F\\node_modules\\npm\\bin\\npx-cli.js"
)
IF EXIST "%NPM_PREFIX_NPX_CLI_JS%" (
  SET "NPX_CLI_JS=%NPM_PREFIX_NPX_CLI_JS%"
)
"%NODE_EXE%" "%NPX_CLI_JS%" %*
`

function resolve(
  command: string,
  files: Readonly<Record<string, string>>,
  more: { args?: string[]; env?: Record<string, string> } = {},
): Program {
  const disk = new Map(Object.entries(files).map(([path, text]) => [path.toLowerCase(), text]))
  return resolveWindowsCommand(command, more.args ?? ['--x', '%PATH% & calc "'], {
    server: 'demo',
    env: more.env ?? { Path: 'C:\\bin;"C:\\two";;.;relative' },
    cwd: 'C:\\work',
    nodePath: NODE,
    files: {
      isFile: (path) => disk.has(path.toLowerCase()),
      read: (path) => disk.get(path.toLowerCase()) ?? '',
    },
  })
}
const ARGS = ['--x', '%PATH% & calc "']

describe('search', () => {
  it('finds a program on PATH by the extensions of PATHEXT', () => {
    expect(resolve('uvx', { 'C:\\two\\uvx.exe': '' })).toEqual({
      file: 'C:\\two\\uvx.exe',
      args: ARGS,
    })
  })

  it('goes by the order of PATH first and of PATHEXT second', () => {
    const files = { 'C:\\bin\\a.exe': '', 'C:\\bin\\a.com': '', 'C:\\two\\a.com': '' }
    expect(resolve('a', files).file).toBe('C:\\bin\\a.com')
    const env = { PATH: 'C:\\two;C:\\bin', PATHEXT: '.EXE;.COM' }
    expect(resolve('a', files, { env }).file).toBe('C:\\two\\a.com')
    expect(resolve('a', { 'C:\\bin\\a.exe': '' }, { env }).file).toBe('C:\\bin\\a.exe')
  })

  it('does not take a file of the current folder for a command', () => {
    const files = { 'C:\\work\\git.exe': '', 'git.exe': '', 'relative\\git.exe': '' }
    expect(() => resolve('git', files)).toThrow(/no command "git"/)
  })

  it('takes a path as it is, from the working folder', () => {
    expect(resolve('.\\run.exe', { 'C:\\work\\run.exe': '' }).file).toBe('C:\\work\\run.exe')
    expect(resolve('E:/x/run', { 'E:\\x\\run.exe': '' }).file).toBe('E:\\x\\run.exe')
  })

  it('runs a script with Node', () => {
    expect(resolve('C:\\s.mjs', { 'C:\\s.mjs': '' })).toEqual({
      file: NODE,
      args: ['C:\\s.mjs', ...ARGS],
    })
  })

  it('passes over the shell script of the same name without an extension', () => {
    expect(resolve('x', { 'C:\\bin\\x': '#!/bin/sh', 'C:\\two\\x.exe': '' }).file).toBe(
      'C:\\two\\x.exe',
    )
  })
})

describe('batch files', () => {
  it('of a package manager become their script and Node, arguments untouched', () => {
    const script = 'C:\\bin\\node_modules\\@scope\\server (x)\\bin.js'
    expect(resolve('server', { 'C:\\bin\\server.cmd': SHIM, [script]: '' })).toEqual({
      file: NODE,
      args: [script, ...ARGS],
    })
  })

  it('of the older kind likewise, with the Node that lies beside them', () => {
    const script = 'C:\\bin\\node_modules\\tool\\cli.js'
    const files = { 'C:\\bin\\tool.cmd': OLD_SHIM, [script]: '', 'C:\\bin\\node.exe': '' }
    expect(resolve('tool', files)).toEqual({ file: 'C:\\bin\\node.exe', args: [script, ...ARGS] })
  })

  it('npx becomes its script', () => {
    const script = 'C:\\bin\\node_modules\\npm\\bin\\npx-cli.js'
    const files = { 'C:\\bin\\npx.cmd': NPX, [script]: '' }
    expect(resolve('npx', files)).toEqual({ file: NODE, args: [script, ...ARGS] })
  })

  it('that hand over to a program beside them become that program', () => {
    const files = {
      'C:\\bin\\esb.cmd': '@"%~dp0\\node_modules\\esb\\esb.exe"   %*',
      'C:\\bin\\node_modules\\esb\\esb.exe': '',
    }
    expect(resolve('esb', files).file).toBe('C:\\bin\\node_modules\\esb\\esb.exe')
  })

  it.each([
    ['do something else', '@echo hi\r\ncalc.exe'],
    ['start another program first', '@"%COMSPEC%" /c "%~dp0\\x.js" %*'],
    ['name a script that is not there', '@node "%~dp0\\missing.js" %*'],
    ['pass arguments of their own', '@node --inspect "%~dp0\\x.js" %*'],
    ['ask the environment', '@"%APPDATA%\\x.exe" %*'],
    ['are very long', `${'rem x\r\n'.repeat(20_000)}@node "%~dp0\\x.js" %*`],
    ['go in circles', 'SET "A=%B%"\r\nSET "B=%A%x"\r\n@node "%A%" %*'],
    ['are empty', ''],
  ])('that %s are refused, with what to write instead', (_, text) => {
    const files = { 'C:\\bin\\bad.bat': text, 'C:\\bin\\x.js': '' }
    expect(() => resolve('bad', files)).toThrow(
      expect.objectContaining({
        code: 'DP_TRANSPORT_SPAWN',
        sent: 'no',
        message: expect.stringMatching(/Name the program behind it/),
      }),
    )
  })
})
