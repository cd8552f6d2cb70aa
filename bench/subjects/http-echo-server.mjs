/** The base over HTTP: parses each body and writes it back, on `node:http`. */
import { createServer } from 'node:http'
import { announce } from './http-start.mjs'

announce(
  createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8')
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      const text = JSON.stringify(JSON.parse(body))
      response.writeHead(200, {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      })
      response.end(text)
    })
  }),
)
