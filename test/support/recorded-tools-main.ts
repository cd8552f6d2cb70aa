/** The tools of the recording whose path is the first word, on standard input and output. */
import { stdioServer } from '../../src/transport/node/stdio-server.ts'
import { recordedExchanges } from './recorded-exchanges.ts'
import { recordedToolServer } from './recorded-tools.ts'

await recordedToolServer(recordedExchanges(process.argv[2] ?? '')).accept(stdioServer())
