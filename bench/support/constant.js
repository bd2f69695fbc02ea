// The cheapest reply of node:http: the same bytes for every request.
import { createServer } from 'node:http'

const body = Buffer.alloc(1900, 'x')
const headers = ['Content-Type', 'application/json', 'Content-Length', String(body.length)]
createServer((_, response) => {
  response.writeHead(200, headers)
  response.end(body)
}).listen(Number(process.argv[2]), '127.0.0.1')
