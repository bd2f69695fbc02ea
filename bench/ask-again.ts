import { Agent, get } from 'node:http'

/*
 * The program of a process of its own: asks for an address over kept connections, again and again, until it is ended.
 * As arguments: how many connections, the address, and a token where it needs one.
 */
const [count = '1', address = '', token] = process.argv.slice(2)
const agent = new Agent({ keepAlive: true, maxSockets: Number(count) })
const headers = {
  'accept-encoding': 'br',
  accept: 'text/html,*/*',
  ...(token && { authorization: `Bearer ${token}` }),
}

for (let at = 0; at < Number(count); at++) ask()

function ask(): void {
  get(address, { agent, headers }, reply => {
    reply.resume()
    reply.once('close', ask)
  }).once('error', () => setTimeout(ask, 10))
}
