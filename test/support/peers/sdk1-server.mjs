/** The official SDK of version 1 as a server on its standard streams. What it offers is in `sdk1.mjs`. */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { makeServer } from './sdk1.mjs'

await makeServer().connect(new StdioServerTransport())
process.stdin.on('end', () => process.exit(0))
