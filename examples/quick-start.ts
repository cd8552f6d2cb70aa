/** Ten lines: start a server, read a file through it, stop it. Run it in the project's folder. */
import { connect, resultToText } from '../src/index.ts'
import { stdio } from '../src/node/index.ts'

const args = ['-y', '@modelcontextprotocol/server-filesystem', '.']
const client = await connect(stdio({ command: 'npx', args }))
console.log(`revision ${client.server.revision}, ${(await client.listTools()).length} tools`)
const result = await client.callTool('read_text_file', { path: 'package.json', head: 2 })
console.log(result.isError === true ? 'The tool failed:' : 'The tool says:', resultToText(result))
await client.close()
