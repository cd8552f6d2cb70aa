/** The official SDK of version 2 as a server on its standard streams, in both eras. What it offers is in `sdk2.mjs`. */
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { makeServer } from './sdk2.mjs'

serveStdio(() => makeServer())
