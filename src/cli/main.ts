#!/usr/bin/env node
/**
 * The program `deep-pilot`: finds the language and the command, and loads nothing that this run does not need.
 *
 * A call is mostly the start of two processes, so each module that is read here for nothing is felt.
 */

import { run } from './run.ts'

const { argv, env, stdout, stderr } = process
const [, program = '', ...words] = argv
process.exitCode = await run(words, { stdout, stderr, env, signals: process, program })
